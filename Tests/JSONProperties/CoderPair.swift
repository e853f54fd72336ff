package import Foundation
package import InstantSearchJSON

/// Our decoder and Foundation's, with the same options.
package struct CoderPair: CustomStringConvertible {
  package let ours: JSONValueDecoder
  package let theirs: JSONDecoder
  /// The options in words.
  package let description: String

  /// Decoders of one of the possible combinations of options.
  package init(options number: Int, seed: UInt64 = 0) {
    var options = JSONDecodingOptions()
    let theirs = JSONDecoder()
    switch number % 5 {
    case 1:
      options.dates = .iso8601
      theirs.dateDecodingStrategy = .iso8601
    case 2:
      options.dates = .secondsSince1970
      theirs.dateDecodingStrategy = .secondsSince1970
    case 3:
      options.dates = .millisecondsSince1970
      theirs.dateDecodingStrategy = .millisecondsSince1970
    case 4:
      options.dates = .custom(Self.date)
      theirs.dateDecodingStrategy = .custom(Self.date)
    default: break
    }
    let isSnakeCase = number / 5 % 2 == 1
    if isSnakeCase {
      options.keys = .convertFromSnakeCase
      theirs.keyDecodingStrategy = .convertFromSnakeCase
    }
    let readsNames = number / 10 % 2 == 1
    if readsNames {
      options.nonConformingFloats = .strings(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      theirs.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }
    if let key = Self.seedKey {
      options.userInfo[key] = seed
      theirs.userInfo[key] = seed
    }
    self.ours = JSONValueDecoder(options: options)
    self.theirs = theirs
    let dates = ["since 2001", "ISO 8601", "since 1970", "in milliseconds", "custom"][number % 5]
    description =
      "dates \(dates)\(isSnakeCase ? ", snake case" : "")\(readsNames ? ", named floats" : "")"
  }

  /// The number of combinations.
  package static let combinations = 20

  /// The key under which types find the seed of their calls.
  static let seedKey = CodingUserInfoKey(rawValue: "seed")

  /// Reads a date from a number, or from inside an object or an array, with containers and with the
  /// decoder's own strategy.
  private static let date: @Sendable (any Decoder) throws -> Date = { decoder in
    if let container = try? decoder.container(keyedBy: AnyCodingKey.self) {
      let key = AnyCodingKey("date")
      if let inner = try container.decodeIfPresent(Date.self, forKey: key) { return inner }
      let seconds = try container.decode(Double.self, forKey: AnyCodingKey("a"))
      return Date(timeIntervalSince1970: seconds)
    }
    if var list = try? decoder.unkeyedContainer() {
      var sum = 0.0
      while !list.isAtEnd { sum += try list.decode(Date.self).timeIntervalSince1970 }
      return Date(timeIntervalSince1970: sum)
    }
    return Date(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
  }

  /// Decodes a text with both.
  func decode<T: Decodable>(
    _ type: T.Type, from bytes: [UInt8], isUnordered: Bool
  ) -> DecodedPair {
    DecodedPair(
      ours: Result { try ours.decode(type, from: bytes) }.map { $0 as Any },
      theirs: Result { try theirs.decode(type, from: Data(bytes)) }.map { $0 as Any },
      isUnordered: isUnordered)
  }
}

/// The outcomes of two decoders for the same text.
package struct DecodedPair {
  package var ours: Result<Any, any Error>
  package var theirs: Result<Any, any Error>
  package var isUnordered: Bool

  /// How the two differ; nil if both gave the same value or equal errors.
  ///
  /// - Parameter isValid: Whether the text is JSON, so that an error must have another reason.
  package func difference(isValid: Bool) -> String? {
    switch (ours, theirs) {
    case (.success(let ours), .success(let theirs)):
      let (ours, theirs) = (canonicalText(of: ours), canonicalText(of: theirs))
      return ours == theirs ? nil : "\(ours) instead of \(theirs)"
    case (.failure(let ours), .failure(let theirs)):
      if isUnordered { return nil }
      let (ours, theirs) = (Self.summary(of: ours), Self.summary(of: theirs))
      if ours == theirs { return nil }
      // A number that does not fit, where Foundation reports no path.
      if isValid, ours == Self.misfit, theirs == Self.invalid { return nil }
      return "\(ours) instead of \(theirs)"
    case (.success(let ours), .failure(let theirs)):
      return "\(canonicalText(of: ours)) instead of error \(theirs)"
    case (.failure(let ours), .success(let theirs)):
      return "error \(ours) instead of \(canonicalText(of: theirs))"
    }
  }

  private static let misfit = "number does not fit"
  private static let invalid = "no valid JSON"

  /// The description of an error, without what differs from Foundation's by design; see
  /// ``FoundationDifference``.
  static func summary(of error: any Error) -> String {
    if case DecodingError.dataCorrupted(let context) = error {
      // Foundation's path for a wrong date is that of the enclosing value.
      if context.debugDescription.contains("ISO8601") { return "no ISO 8601 date" }
      // Foundation's error for a number that does not fit has no path.
      if context.debugDescription.contains("does not fit in") { return misfit }
      if context.codingPath.isEmpty, context.debugDescription.hasPrefix("The given data was not") {
        return invalid
      }
    }
    // The same, before Foundation's decoder has caught it.
    if "\(error)".hasPrefix("numberIsNotRepresentableInSwift") { return misfit }
    return JSONProperties.summary(of: error, comparably: true)
  }
}
