import AsyncInstantSearch

/// The names by which events know users.
public enum InsightsUserToken {
  /// Makes a token for a user who has none, such as `anonymous-7c0d…`: 128 random bits.
  ///
  /// Keep it, so that the same user has the same token tomorrow.
  public static func anonymous(
    using generator: inout some RandomNumberGenerator
  ) -> String {
    let digits = (0..<32).map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }
    return "anonymous-" + digits.joined()
  }

  /// Makes a token for a user who has none, from the system's random numbers.
  public static func anonymous() -> String {
    var generator = SystemRandomNumberGenerator()
    return anonymous(using: &generator)
  }

  /// Whether a text can be a token: 1 to 129 letters and digits of ASCII, `_`, `=`, `/`, `+` and
  /// `-`.
  public static func isValid(_ token: String) -> Bool {
    (1...129).contains(token.utf8.count)
      && token.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_=/+-".utf8.contains($0) }
  }
}
