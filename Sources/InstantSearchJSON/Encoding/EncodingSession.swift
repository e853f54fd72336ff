/// What the encoders of one encoding call share.
final class EncodingSession {
  let options: JSONEncodingOptions
  /// Whether keys are converted.
  let convertsKeys: Bool
  /// The first misuse of a container by a function that cannot throw; the call ends with it.
  var failure: EncodingError?
  /// How many insertions were looked at while members were arranged.
  var insertionsVisited = 0
  /// The nodes that have others inside which may be filled later; these refer to one another.
  var parents: [EncodingNode] = []
  /// The types met so far, and the one that was met last: elements of an array have one type.
  private var ways: [ObjectIdentifier: EncodingWay] = [:]
  private var latest: (type: any Any.Type, way: EncodingWay) = (Never.self, .encoder)

  /// Asked from time to time whether to go on.
  let check: (() throws -> Void)?
  /// How many values are written until the check is asked again.
  private var stepsLeft = EncodingSession.checkedValues

  /// How many values are written between two checks.
  static let checkedValues = 256

  init(options: JSONEncodingOptions, check: (() throws -> Void)? = nil) {
    self.options = options
    self.check = check
    convertsKeys = options.convertsKeys
  }

  /// Counts a value, and asks the check when there were enough of them.
  @inline(__always)
  func countValue() throws {
    stepsLeft &-= 1
    if stepsLeft <= 0 { try checkAgain() }
  }

  @inline(never)
  private func checkAgain() throws {
    // When it throws, the next value asks again, whatever the caller made of the error.
    try check?()
    stepsLeft = Self.checkedValues
  }

  /// How values of a type are written.
  func way<T: Encodable>(of type: T.Type) -> EncodingWay {
    if latest.type == type { return latest.way }
    let way: EncodingWay
    if let known = ways[ObjectIdentifier(type)] {
      way = known
    } else {
      way = EncodingWay(type)
      ways[ObjectIdentifier(type)] = way
    }
    latest = (type, way)
    return way
  }
}

/// How values of a type are written; looking it up takes longer than writing a number.
enum EncodingWay {
  /// As a string, the most frequent of them.
  case string
  /// By themselves, as ``JSONWritable``.
  case writable
  /// By themselves, as ``DirectlyEncodable``.
  case direct
  /// By their `encode(to:)`.
  case encoder

  init<T: Encodable>(_ type: T.Type) {
    if type == String.self {
      self = .string
    } else if type is any JSONWritable.Type {
      self = .writable
    } else if type is any DirectlyEncodable.Type {
      self = .direct
    } else {
      self = .encoder
    }
  }
}
