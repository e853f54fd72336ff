extension UIState {
  /// How the indices of a state are named in a URL.
  public enum Mapping: Hashable, Sendable {
    /// Each key begins with the ID of its index: `products[query]=phone`.
    case simple
    /// The keys belong to one index and do not name it: `query=phone`.
    ///
    /// Other indices are not written.
    case singleIndex(String)
  }

  /// The maximum number of parameters that are read by default, as in the web library.
  public static let defaultMaximumParameters = 1_000

  /// Returns the state as the query of a URL, percent-encoded, without a question mark.
  ///
  /// It has the web library's form. Indices and attributes are sorted.
  ///
  /// - Parameter mapping: How indices are named. Defaults to `simple`.
  public func query(mapping: Mapping = .simple) -> String {
    queryItems(mapping: mapping).percentEncoded
  }

  /// Returns the state as items of a URL's query, not percent-encoded.
  ///
  /// To encode them, use ``query(mapping:)``. `URLComponents` leaves a plus sign unencoded, which
  /// other parsers read as a space.
  ///
  /// - Parameter mapping: How indices are named. Defaults to `simple`.
  public func queryItems(mapping: Mapping = .simple) -> [QueryItem] {
    var writer = RouteWriter()
    switch mapping {
    case .simple:
      for id in indexIDs { writer.write(self[id].route, under: id) }
    case .singleIndex(let id):
      writer.write(self[id].route)
    }
    return writer.items
  }

  /// Reads the query of a URL.
  ///
  /// Reads any form that the web library reads. The time is linear in the length of the query.
  ///
  /// - Parameters:
  ///   - query: The query, percent-encoded, with or without a question mark.
  ///   - mapping: How indices are named. Defaults to `simple`.
  ///   - maximumParameters: The maximum number of parameters. Further parameters are not read, and
  ///     are reported. Defaults to 1,000. For a web page use the limits of
  ///     ``SearchScreen/read(query:maximumParameters:)``.
  /// - Returns: The state, and the problems with the omitted values.
  public static func read(
    query: String, mapping: Mapping = .simple,
    maximumParameters: Int = UIState.defaultMaximumParameters
  ) -> (state: UIState, problems: [Problem]) {
    var parser = RouteParser(maximumCount: maximumParameters)
    parser.read(query.hasPrefix("?") ? String(query.dropFirst()) : query)
    return read(parser, mapping: mapping)
  }

  /// Reads the items of a URL's query.
  ///
  /// - Parameters:
  ///   - queryItems: The items, not percent-encoded.
  ///   - mapping: How indices are named. Defaults to `simple`.
  ///   - maximumParameters: The maximum number of items. Further items are not read, and are
  ///     reported. Defaults to 1,000.
  /// - Returns: The state, and the problems with the omitted values.
  public static func read(
    queryItems: [QueryItem], mapping: Mapping = .simple,
    maximumParameters: Int = UIState.defaultMaximumParameters
  ) -> (state: UIState, problems: [Problem]) {
    var parser = RouteParser(maximumCount: maximumParameters)
    parser.read(queryItems)
    return read(parser, mapping: mapping)
  }

  private static func read(
    _ parser: consuming RouteParser, mapping: Mapping
  ) -> (state: UIState, problems: [Problem]) {
    let parsed = RouteValue.object(parser.finish())
    var problems = parser.problems
    let route = parsed.unescaped { name, value in
      let problem = Problem(
        path: [name], text: value.summary, expected: "one spelling of the name")
      problems.append(problem)
    }
    let state = UIState(route: route, mapping: mapping, problems: &problems)
    return (state, problems)
  }

  /// Reads a state from a tree.
  package init(route: RouteValue, mapping: Mapping, problems: inout [Problem]) {
    self.init()
    let members = route.members ?? []
    switch mapping {
    case .simple:
      for (id, value) in members {
        guard let members = value.members else {
          let problem = Problem(
            path: [id], text: value.summary, expected: "values of an index by name")
          problems.append(problem)
          continue
        }
        self[id] = IndexUIState(route: members, path: [id], problems: &problems)
      }
    case .singleIndex(let id):
      self[id] = IndexUIState(route: members, path: [], problems: &problems)
    }
  }
}
