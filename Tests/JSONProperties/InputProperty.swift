/// What must hold of any bytes that reach the reader, whoever sent them.
///
/// An input of the fuzzer is a header of three bytes and a text. The first byte chooses the
/// property, the others its options and seed:
///
///     0  0  0  {"hits":[…]}
package enum InputProperty: UInt8, CaseIterable, Sendable {
  /// The document is read, or refused at the right byte, and its nodes say what is written.
  case document
  /// Foundation reads the same values and refuses the same texts.
  case foundation
  /// Values and queries read as JSON are written and read again as the same.
  case values
  /// Pages of hits are read hit by hit.
  case pages
  /// Types of the standard library are decoded as by Foundation.
  case libraryTypes
  /// Records of many kinds are decoded as by Foundation, and errors lead to their values.
  case records
  /// Containers answer as Foundation's.
  case calls
  /// Parameters in the form of a URL's query are written and read again as the same.
  case urlEncodedQueries

  /// How an input violates its property; empty when it does not.
  package static func violations(ofInput input: [UInt8]) -> [String] {
    guard input.count >= 3, let property = Self(rawValue: input[0] % UInt8(allCases.count)) else {
      return []
    }
    // Steps beyond its end are seen by the reader's own assertions, with which the fuzzer is built.
    let text = Array(input[3...])
    return property.violations(of: text, options: input[1], seed: input[2])
  }

  private func violations(of text: [UInt8], options: UInt8, seed: UInt8) -> [String] {
    switch self {
    case .document:
      DocumentComparison.violations(in: text, maximumDepth: options < 128 ? 512 : Int(options) % 9)
    case .foundation: FoundationComparison.violations(in: text)
    case .values: ValueProperties.violations(of: text)
    case .pages: PageProperties.violations(of: text)
    case .libraryTypes:
      DecodingProperties.violations(
        of: text, probes: Probes.library, options: options, seed: seed)
    case .records:
      DecodingProperties.violations(
        of: text, probes: Probes.records, options: options, seed: seed)
    case .calls: DecodingProperties.violationsOfCalls(of: text, options: options, seed: seed)
    case .urlEncodedQueries: ValueProperties.violations(ofURLEncoded: text)
    }
  }
}
