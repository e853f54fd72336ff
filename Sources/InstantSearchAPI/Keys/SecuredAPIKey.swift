#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An API key that is derived from another one and has fewer rights.
///
/// A server that holds a search-only key creates a secured key for each user without calling the
/// service. The holder of the secured key cannot remove its restrictions:
///
/// ```swift
/// let key = try SecuredAPIKey.generate(
///   parentKey: searchOnlyKey,
///   restrictions: SecuredAPIKey.Restrictions(filters: "owner:\(user)", userToken: user))
/// ```
///
/// Never put the parent key into an app, and never derive a key from an admin key: a secured key
/// has the rights of its parent within the restrictions.
///
/// A value of this type is the readable part of a secured key, available without its parent:
///
/// ```swift
/// let key = try SecuredAPIKey(inspecting: text)
/// if let remaining = key.remainingValidity(at: .now), remaining < .seconds(60) { … }
/// ```
///
/// Its description and its mirror contain neither the key nor its signature.
public struct SecuredAPIKey: Sendable, Hashable {
  /// The restrictions of the key.
  public let restrictions: Restrictions

  /// The signed text: the restrictions as the key contains them.
  private let signedText: [UInt8]
  private let signature: [UInt8]

  /// Derives a secured key.
  ///
  /// - Parameters:
  ///   - parentKey: A key with the right to search.
  ///   - restrictions: The restrictions of the key.
  /// - Returns: The secured key, which is used like any other API key.
  /// - Throws: `SearchError` with the code `invalidRequest` for an empty parent key, and for a
  ///   restriction that cannot be expressed or has two different values. The message names it.
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
  /// This does not prove that the key is genuine; use ``isDerived(from:)`` for that.
  ///
  /// - Throws: `SearchError` with the code `invalidRequest` for a text that is not a secured key.
  ///   The message says which part is malformed, and quotes nothing of the key.
  public init(inspecting key: String) throws(SearchError) {
    guard let data = Data(base64Encoded: key) else {
      throw SearchError(.invalidRequest, "The secured API key is not valid base64.")
    }
    guard
      let signature = Hexadecimal.bytes(
        ofSignature: data.prefix(Hexadecimal.signatureLength))
    else {
      throw SearchError(
        .invalidRequest, "The secured API key does not begin with a signature of 64 digits.")
    }
    signedText = Array(data.dropFirst(Hexadecimal.signatureLength))
    guard let text = String(validating: signedText, as: UTF8.self) else {
      throw SearchError(.invalidRequest, "The secured API key's restrictions are not valid UTF-8.")
    }
    restrictions = try Restrictions(queryString: text)
    self.signature = signature
  }

  /// The time until which the service accepts the key, in seconds since 1970, or `nil` if it never
  /// expires.
  public var validUntil: Int? { restrictions.validUntil }

  /// The time for which the service still accepts the key. Negative for an expired key, and `nil`
  /// if it never expires.
  public func remainingValidity(at date: Date) -> Duration? {
    guard let validUntil else { return nil }
    // Limited to 30 million years, far from the range of a duration.
    let seconds = date.timeIntervalSince1970
    let now = seconds.isNaN ? 0 : min(max(seconds, -1e15), 1e15)
    return .seconds(validUntil) - .seconds(now)
  }

  /// Whether the key was derived from a parent key and not changed since.
  ///
  /// The time it takes does not reveal how much of the signature is right.
  public func isDerived(from parentKey: String) -> Bool {
    isDerived(from: HMACSHA256(key: Array(parentKey.utf8)))
  }

  /// Whether the key was derived from a prepared parent key.
  package func isDerived(from parentKey: HMACSHA256) -> Bool {
    parentKey.isCode(signature, for: signedText)
  }

  /// The number of blocks that one comparison hashes.
  package var blockCount: Int { signedText.count / SHA256.blockSize + 3 }
}

extension SecuredAPIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The restrictions, without the key, its signature and the user token.
  public var description: String { "SecuredAPIKey(\(restrictions))" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The restrictions.
  public var customMirror: Mirror {
    Mirror(self, children: ["restrictions": restrictions], displayStyle: .struct)
  }
}

extension SecuredAPIKey {
  /// The restrictions of a secured key. Defaults to none.
  public struct Restrictions: Sendable, Hashable {
    /// Search parameters that limit or override the request's parameters. Filters are added to the
    /// request's.
    public var searchParameters: SearchQuery

    /// A filter expression that every record must match in addition to the request's filters.
    public var filters: String?

    /// The time until which the key is accepted, in seconds since 1970. `nil` (the default) means
    /// no expiration.
    public var validUntil: Int?

    /// The indices that may be searched. Empty (the default) means the parent key's.
    public var restrictIndices: [String]

    /// The IPv4 network from which the key is accepted, such as `192.168.1.0/24`.
    public var restrictSources: String?

    /// The user that requests are attributed to, in rate limits, analytics and personalization.
    public var userToken: String?

    /// Creates restrictions.
    public init(
      searchParameters: SearchQuery = SearchQuery(),
      filters: String? = nil,
      validUntil: Int? = nil,
      restrictIndices: [String] = [],
      restrictSources: String? = nil,
      userToken: String? = nil
    ) {
      self.searchParameters = searchParameters
      self.filters = filters
      self.validUntil = validUntil
      self.restrictIndices = restrictIndices
      self.restrictSources = restrictSources
      self.userToken = userToken
    }

    /// ``validUntil`` as a date, rounded down to a second.
    ///
    /// A date out of range becomes the nearest number of seconds. A date that is not a number
    /// becomes the year 1970, so the key is never accepted.
    public var expirationDate: Date? {
      get { validUntil.map { Date(timeIntervalSince1970: Double($0)) } }
      set {
        validUntil = newValue.map { date in
          let seconds = date.timeIntervalSince1970.rounded(.down)
          return seconds.isNaN || seconds < 0 ? 0 : Int(exactly: seconds) ?? .max
        }
      }
    }
  }
}

extension SecuredAPIKey.Restrictions {
  private enum Name: String, CaseIterable {
    case filters, validUntil, restrictIndices, restrictSources, userToken
  }

  /// The restrictions as signed: names and values encoded, ordered by name.
  func queryString() throws(SearchError) -> String {
    var values: [String: String] = [:]
    for item in searchParameters.queryItems { values[item.name] = item.value }
    for (name, value) in try ownValues() {
      if let other = values[name.rawValue], other != value {
        throw SearchError(
          .invalidRequest,
          "The restriction \(name.rawValue) is also set as a search parameter, with another value. Set it once."
        )
      }
      values[name.rawValue] = value
    }
    return values.sorted { $0.key < $1.key }
      .map { "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode($0.value))" }
      .joined(separator: "&")
  }

  private func ownValues() throws(SearchError) -> [(Name, String)] {
    if let validUntil, validUntil < 0 {
      throw SearchError(.invalidRequest, "The restriction validUntil is before 1970.")
    }
    if let name = restrictIndices.first(where: { $0.isEmpty || $0.utf8.contains(Self.comma) }) {
      throw SearchError(
        .invalidRequest,
        "The restriction restrictIndices cannot name the index \(name.debugDescription).")
    }
    for (name, value) in [
      (Name.filters, filters), (.restrictSources, restrictSources), (.userToken, userToken),
    ] where value == "" {
      throw SearchError(.invalidRequest, "The restriction \(name.rawValue) is empty.")
    }
    let indices = restrictIndices.isEmpty ? nil : restrictIndices.joined(separator: ",")
    let all: [(Name, String?)] = [
      (.filters, filters), (.validUntil, validUntil.map(\.description)),
      (.restrictIndices, indices), (.restrictSources, restrictSources), (.userToken, userToken),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Reads the signed text.
  init(queryString: String) throws(SearchError) {
    var values: [Name: String] = [:]
    var parameters: [String] = []
    for pair in try Self.pairs(of: queryString, in: "The secured API key") {
      if let known = Name(rawValue: pair.name) {
        values[known] = pair.value
      } else {
        parameters.append(pair.text)
      }
    }
    self.init(
      searchParameters: try Self.query(parameters),
      filters: values[.filters],
      validUntil: try values[.validUntil].map(Self.seconds),
      restrictIndices: values[.restrictIndices].map(Self.list) ?? [],
      restrictSources: values[.restrictSources],
      userToken: values[.userToken])
  }

  /// Splits URL-encoded restrictions. A repeated name is an error, as the service does not define
  /// which value it uses, and so is an empty value that restricts nothing.
  ///
  /// - Parameter subject: Where the restrictions are, for the message of an error.
  package static func pairs(
    of queryString: String, in subject: String
  ) throws(SearchError) -> [(name: String, value: String, text: String)] {
    var names: Set<String> = []
    var pairs: [(name: String, value: String, text: String)] = []
    for pair in queryString.utf8.split(separator: UInt8(ascii: "&")) {
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard let name = decoded(pair[..<equals]), let value = decoded(pair[equals...].dropFirst())
      else {
        throw SearchError(
          .invalidRequest, "\(subject)'s restrictions are not valid percent-encoding.")
      }
      // An unknown name can be part of a secret.
      let isKnown = restrictingNames.contains(name)
      guard names.insert(name).inserted else {
        let what = isKnown ? "the restriction \(name)" : "a parameter"
        throw SearchError(.invalidRequest, "\(subject) contains \(what) twice.")
      }
      if value.isEmpty, isKnown {
        throw SearchError(
          .invalidRequest, "\(subject) has an empty value for the restriction \(name).")
      }
      pairs.append((name, value, String(Substring(pair))))
    }
    return pairs
  }

  /// Reads search parameters. The error for an invalid value does not quote it.
  private static func query(_ parameters: [String]) throws(SearchError) -> SearchQuery {
    do throws(SearchError) {
      return try SearchQuery(urlEncoded: parameters.joined(separator: "&"))
    } catch {
      // Only known parameters can have an invalid value.
      let name =
        parameters.first { (try? SearchQuery(urlEncoded: $0)) == nil }
        .flatMap { decoded($0.prefix { $0 != "=" }.utf8) }
      throw SearchError(
        .invalidRequest,
        "The secured API key has an invalid value for \(name ?? "a parameter").")
    }
  }

  /// The names whose empty value restricts nothing, although its author intended a restriction.
  private static let restrictingNames = Set(
    Name.allCases.map(\.rawValue) + [
      "facetFilters", "numericFilters", "tagFilters", "aroundLatLng", "insideBoundingBox",
      "insidePolygon", "restrictSearchableAttributes",
    ])

  private static let comma = UInt8(ascii: ",")

  private static func decoded(_ text: Substring.UTF8View) -> String? {
    PercentEncoding.decode(Substring(text), plusIsSpace: true)
  }

  private static func list(_ text: String) -> [String] {
    text.utf8.split(separator: comma, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }

  private static func seconds(_ text: String) throws(SearchError) -> Int {
    guard let seconds = Int(text), seconds >= 0 else {
      throw SearchError(
        .invalidRequest, "The restriction validUntil of the secured API key is not a number.")
    }
    return seconds
  }
}

extension SecuredAPIKey.Restrictions: CustomStringConvertible, CustomReflectable {
  /// The restrictions that are set, by name, without the user token.
  public var description: String {
    shown.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
  }

  /// A mirror of the parts in the description.
  public var customMirror: Mirror {
    Mirror(self, children: shown.map { ($0.name, $0.value) }, displayStyle: .struct)
  }

  private var shown: [(name: String, value: String)] {
    var shown: [(name: String, value: String)] = []
    if !searchParameters.isEmpty {
      shown.append(("searchParameters", searchParameters.description))
    }
    if let filters { shown.append(("filters", filters)) }
    if let validUntil { shown.append(("validUntil", "\(validUntil)")) }
    if !restrictIndices.isEmpty {
      shown.append(("restrictIndices", restrictIndices.joined(separator: ",")))
    }
    if let restrictSources { shown.append(("restrictSources", restrictSources)) }
    if userToken != nil { shown.append(("userToken", "…")) }
    return shown
  }
}
