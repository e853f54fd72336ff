#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import InstantSearchHTTP
import LocalSearch

extension TypesenseTransport {
  /// Derives a key that searches only records that match a filter, without a call.
  ///
  /// A server that holds a search-only key makes one for each of its users. The holder cannot
  /// remove the filter:
  ///
  /// ```swift
  /// let key = try TypesenseTransport.scopedKey(
  ///   parentKey: searchOnlyKey, filters: "owner:\(user)", validUntil: .now + 3600)
  /// ```
  ///
  /// Rules promote no records in its searches, because the server shows those regardless of
  /// filters.
  ///
  /// The filter holds for every index. The holder of any search key can read every collection of
  /// the cluster, whatever collections the key lists; so keep what must stay apart in another
  /// cluster, or filter it by a value that each record has.
  ///
  /// - Parameters:
  ///   - parentKey: A key whose only action is `documents:search`. The cluster accepts no other.
  ///   - filters: Filters by values, tags and `objectID`, in the language of the parameter
  ///     `filters`. The attributes must be in `attributesForFaceting`. Defaults to none.
  ///   - validUntil: When the key ends, in whole seconds. Defaults to never.
  /// - Throws: `invalidRequest` for an invalid filter, one that compares numbers, and an empty key.
  /// - Returns: The key, for `TypesenseTransport(nodes:apiKey:)`.
  public static func scopedKey(
    parentKey: String, filters: String? = nil, validUntil: Date? = nil
  ) throws(SearchError) -> String {
    guard parentKey.utf8.count >= 4 else {
      throw SearchError(.invalidRequest, "The parent key is empty or too short.")
    }
    var parameters: [String: JSON] = [:]
    if let filter = try Self.filter(filters) {
      parameters["filter_by"] = .string(filter)
      // The server shows pinned records, of a rule or of the holder's own request, regardless of
      // the filter.
      parameters["pinned_hits"] = ""
    }
    if let validUntil {
      let seconds = validUntil.timeIntervalSince1970.rounded()
      guard let time = Int64(exactly: seconds), time > 0 else {
        throw SearchError(.invalidRequest, "validUntil is out of range.")
      }
      parameters["expires_at"] = .int(time)
    }
    let text = Array(JSON.object(parameters).text.utf8)
    let code = HMACSHA256.code(for: text, key: Array(parentKey.utf8))
    let signed = Array(Data(code).base64EncodedString().utf8) + parentKey.utf8.prefix(4) + text
    return Data(signed).base64EncodedString()
  }

  private static func filter(_ text: String?) throws(SearchError) -> String? {
    let tree: FilterTree?
    do {
      tree = try text.flatMap { try FilterParser.parse($0) }
    } catch {
      throw error as? SearchError ?? SearchError(.invalidRequest, "\(error)")
    }
    guard let tree else {
      // An empty text may be a value that a program has forgotten to set.
      guard text == nil else {
        throw SearchError(
          .invalidRequest, "The filter of a scoped key is empty; pass nil for a key without one.")
      }
      return nil
    }
    guard !tree.comparesNumbers else {
      throw SearchError(
        .invalidRequest,
        "The filter of a scoped key cannot compare numbers; filter by a value, such as level:5")
    }
    let compiler = FilterCompiler(equalOnlyNumbers: [], facets: nil, missingFields: [])
    let descriptions = FilterExpression.term("\(FieldName.codes):=\(ValueCode.description)")
    do throws(APIError) {
      return try FilterExpression.any(of: [compiler.expression(tree), descriptions]).text()
    } catch {
      throw SearchError(.invalidRequest, error.message)
    }
  }
}

extension FilterTree {
  /// Whether one of the filters compares numbers.
  fileprivate var comparesNumbers: Bool {
    switch self {
    case .literal(let literal): literal.predicate.kind == .numeric
    case .all(let parts), .any(let parts): parts.contains(where: \.comparesNumbers)
    }
  }
}
