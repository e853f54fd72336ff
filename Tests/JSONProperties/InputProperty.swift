/// What must hold for any bytes that reach the reader, from any sender.
///
/// An input of the fuzzer is a header of three bytes and a text. The first byte selects the
/// property, the others its options and seed:
///
///     0  0  0  {"hits":[…]}
package enum InputProperty: UInt8, CaseIterable, Sendable {
  /// The document is read, or rejected at the right byte, and its nodes match the text.
  case document
  /// Foundation reads the same values and rejects the same texts.
  case foundation
  /// Values and queries decoded from JSON are encoded and decoded again as equal.
  case values
  /// Pages of hits are decoded hit by hit.
  case pages
  /// Types of the standard library are decoded as by Foundation.
  case libraryTypes
  /// Records of many kinds are decoded as by Foundation, and errors lead to their values.
  case records
  /// Containers behave like Foundation's.
  case calls
  /// Parameters in the form of a URL query are encoded and decoded again as equal.
  case urlEncodedQueries

  /// The violations of the property by an input; empty if there are none.
  package static func violations(ofInput input: [UInt8]) -> [String] {
    guard input.count >= 3, let property = Self(rawValue: input[0] % UInt8(allCases.count)) else {
      return []
    }
    // Out-of-bounds steps trigger the reader's own assertions, with which the fuzzer is built.
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
