public import AsyncInstantSearch

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An API key that was derived from another one and can do less than it.
///
/// A server that holds a search-only key makes a secured key for each of its users, without a call
/// to the service; the holder of the secured key cannot remove its restrictions:
///
/// ```swift
/// let key = try SecuredAPIKey.generate(
///   parentKey: searchOnlyKey,
///   restrictions: SecuredAPIKey.Restrictions(filters: "owner:\(user)", userToken: user))
/// ```
///
/// Never put the parent key into an app, and never derive from an admin key: a secured key can do
/// what its parent can, within the restrictions.
///
/// A value of this type is what can be read in a secured key, without its parent:
///
/// ```swift
/// let key = try SecuredAPIKey(inspecting: text)
/// if let remaining = key.remainingValidity(at: .now), remaining < .seconds(60) { … }
/// ```
///
/// Neither the key nor its signature appears in its description or its mirror.
public struct SecuredAPIKey: Sendable, Hashable {
  /// What the key's holder is bound to.
  public let restrictions: Restrictions

  /// The restrictions as the key has them, which is what was signed.
  private let signedText: [UInt8]
  private let signature: [UInt8]

  /// Derives a key.
  ///
  /// - Parameters:
  ///   - parentKey: A key with the right to search.
  ///   - restrictions: What the holder is bound to.
  /// - Returns: The secured key, to be used like any other.
  /// - Throws: `SearchError` of code `invalidRequest` for an empty parent key, and for a
  ///   restriction that cannot be said, or that is given twice with different values; the message
  ///   names it.
  public static func generate(
    parentKey: String, restrictions: Restrictions
  ) throws(SearchError) -> String {
    guard !parentKey.isEmpty else {
      throw SearchError(.invalidRequest, "The parent key of a secured API key is empty.")
    }
    let text = Array(try restrictions.queryString().utf8)
    let signature = HMACSHA256.code(for: text, key: Array(parentKey.utf8))
    return Data(Hexadecimal.text(of: signature) + text).base64EncodedString()
  }

  /// Reads a secured key.
  ///
  /// This does not prove that the key is genuine: ``isDerived(from:)`` does.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a text that is no secured key; the
  ///   message says which part is malformed, and quotes nothing of the key.
  public init(inspecting key: String) throws(SearchError) {
    guard let data = Data(base64Encoded: key) else {
      throw SearchError(.invalidRequest, "The secured API key is not base64.")
    }
    guard let signature = Hexadecimal.bytes(of: data.prefix(Hexadecimal.signatureLength)) else {
      throw SearchError(
        .invalidRequest, "The secured API key does not begin with a signature of 64 digits.")
    }
    signedText = Array(data.dropFirst(Hexadecimal.signatureLength))
    guard let text = String(validating: signedText, as: UTF8.self) else {
      throw SearchError(.invalidRequest, "The restrictions of the secured API key are not UTF-8.")
    }
    restrictions = try Restrictions(queryString: text)
    self.signature = signature
  }

  /// Until when the service accepts the key, in seconds since 1970; `nil` for a key without an end.
  public var validUntil: Int? { restrictions.validUntil }

  /// How long the service accepts the key from a moment on; negative once it does not any more, and
  /// `nil` for a key without an end.
  public func remainingValidity(at date: Date) -> Duration? {
    guard let validUntil else { return nil }
    // Held to 30 million years, which is far from what a duration can count.
    let seconds = date.timeIntervalSince1970
    let now = seconds.isNaN ? 0 : min(max(seconds, -1e15), 1e15)
    return .seconds(validUntil) - .seconds(now)
  }

  /// Whether the key was derived from that parent, and not changed since.
  ///
  /// The time this takes does not tell how much of the signature is right.
  public func isDerived(from parentKey: String) -> Bool {
    HMACSHA256.isCode(signature, for: signedText, key: Array(parentKey.utf8))
  }
}

extension SecuredAPIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The restrictions; never the key, its signature or the user token.
  public var description: String { "SecuredAPIKey(\(restrictions))" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The restrictions.
  public var customMirror: Mirror {
    Mirror(self, children: ["restrictions": restrictions], displayStyle: .struct)
  }
}

/// Bytes as lower-case hexadecimal digits.
private enum Hexadecimal {
  /// How many digits a signature has.
  static let signatureLength = 64

  static func text(of bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  /// The 32 bytes of a signature; `nil` for a text that is none.
  static func bytes(of text: Data) -> [UInt8]? {
    let values = text.compactMap(value)
    guard text.count == signatureLength, values.count == signatureLength else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
