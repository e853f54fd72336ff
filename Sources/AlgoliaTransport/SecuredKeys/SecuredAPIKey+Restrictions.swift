public import AsyncInstantSearch

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SecuredAPIKey {
  /// What the holder of a secured key is bound to; nothing by default.
  public struct Restrictions: Sendable, Hashable {
    /// Search parameters that take the place of the request's own; filters are added to them.
    public var searchParameters: SearchQuery

    /// A filter expression that every record must fulfil besides the request's own filters.
    public var filters: String?

    /// Until when the key is accepted, in seconds since 1970; `nil` for no end of its own.
    public var validUntil: Int?

    /// The indices that may be searched; empty for those of the parent key.
    public var restrictIndices: [String]

    /// The IPv4 network from which the key is accepted, such as `192.168.1.0/24`.
    public var restrictSources: String?

    /// The user that the requests count for, in rate limits, analytics and personalisation.
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

    /// ``validUntil`` as a date, to the second before.
    ///
    /// A date that is out of reach becomes the nearest number of seconds, and one that is no number
    /// the year 1970: such a key is never accepted.
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

  /// The restrictions as they are signed: names and values encoded, ordered by name.
  func queryString() throws(SearchError) -> String {
    var values: [String: String] = [:]
    for item in searchParameters.queryItems { values[item.name] = item.value }
    for (name, value) in try ownValues() {
      if let other = values[name.rawValue], other != value {
        throw SearchError(
          .invalidRequest,
          "The restriction \(name.rawValue) is also a search parameter, with another value.")
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
    let indices = restrictIndices.isEmpty ? nil : restrictIndices.joined(separator: ",")
    let all: [(Name, String?)] = [
      (.filters, filters), (.validUntil, validUntil.map(\.description)),
      (.restrictIndices, indices), (.restrictSources, restrictSources), (.userToken, userToken),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Reads what was signed. Of a name that occurs twice it is undefined which value the service
  /// takes, so that is an error.
  init(queryString: String) throws(SearchError) {
    var values: [Name: String] = [:]
    var names: Set<String> = []
    var parameters: [String] = []
    for pair in queryString.utf8.split(separator: UInt8(ascii: "&")) {
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard let name = Self.decoded(pair[..<equals]),
        let value = Self.decoded(pair[equals...].dropFirst())
      else {
        throw SearchError(
          .invalidRequest, "The restrictions of the secured API key are wrongly encoded.")
      }
      guard names.insert(name).inserted else {
        // A name that is not known may be a part of something secret.
        let what = Name(rawValue: name).map { "the restriction \($0.rawValue)" } ?? "a parameter"
        throw SearchError(.invalidRequest, "The secured API key has \(what) twice.")
      }
      if let known = Name(rawValue: name) {
        values[known] = value
      } else {
        parameters.append(String(Substring(pair)))
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

  /// Reads search parameters. The error of one that cannot be does not say what was found.
  private static func query(_ parameters: [String]) throws(SearchError) -> SearchQuery {
    do throws(SearchError) {
      return try SearchQuery(urlEncoded: parameters.joined(separator: "&"))
    } catch {
      // Only parameters that are known can have a wrong value.
      let name =
        parameters.first { (try? SearchQuery(urlEncoded: $0)) == nil }
        .flatMap { decoded($0.prefix { $0 != "=" }.utf8) }
      throw SearchError(
        .invalidRequest,
        "The secured API key has a value of \(name ?? "a parameter") that cannot be read.")
    }
  }

  private static let comma = UInt8(ascii: ",")

  private static func decoded(_ text: Substring.UTF8View) -> String? {
    PercentEncoding.decode(Substring(text), plusIsSpace: true)
  }

  private static func list(_ text: String) -> [String] {
    text.utf8.split(separator: comma).map { String(Substring($0)) }
  }

  private static func seconds(_ text: String) throws(SearchError) -> Int {
    guard let seconds = Int(text), seconds >= 0 else {
      throw SearchError(
        .invalidRequest, "The restriction validUntil of the secured API key is no number.")
    }
    return seconds
  }
}

extension SecuredAPIKey.Restrictions: CustomStringConvertible, CustomReflectable {
  /// The restrictions that are set, by name; the user token is not shown.
  public var description: String {
    shown.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
  }

  /// What the description shows.
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
