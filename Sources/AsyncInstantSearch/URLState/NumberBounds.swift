/// The lower and the upper bound of a number, either of which can be missing.
///
/// ```swift
/// state["products"].range["price"] = NumberBounds(lower: 10, upper: 20.5)
/// ```
///
/// As text the bounds are separated by a colon: `10:20.5`, `10:`, `:20.5`.
public struct NumberBounds: Hashable, Sendable {
  /// The minimum, included; `nil` for none.
  public let lower: Double?
  /// The maximum, included; `nil` for none. It can be less than the minimum.
  public let upper: Double?

  /// Creates bounds. A number that is not finite is ignored.
  public init(lower: Double? = nil, upper: Double? = nil) {
    self.lower = lower.flatMap { $0.isFinite ? $0 : nil }
    self.upper = upper.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Whether both bounds are missing.
  public var isEmpty: Bool { lower == nil && upper == nil }
}

extension NumberBounds: LosslessStringConvertible {
  /// Reads `minimum:maximum`. Returns `nil` for anything except decimal numbers beside one colon.
  public init?(_ description: String) {
    let parts = description.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let numbers = parts.map { Double(decimal: $0) }
    for (part, number) in zip(parts, numbers) where number == nil && !part.isEmpty { return nil }
    self.init(lower: numbers[0], upper: numbers[1])
  }

  /// `minimum:maximum`, without exponents. Reads back as the same bounds.
  public var description: String {
    "\(lower?.plainNumber ?? ""):\(upper?.plainNumber ?? "")"
  }
}

extension Double {
  /// Reads a finite decimal number, with an exponent or without; `nil` for any other text.
  init?(decimal text: some StringProtocol) {
    let isDecimal = text.utf8.allSatisfy { byte in
      byte.isASCIIDigit || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Double(String(text)), number.isFinite else { return nil }
    self = number
  }
}
