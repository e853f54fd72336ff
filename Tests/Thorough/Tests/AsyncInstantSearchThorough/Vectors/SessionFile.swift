@testable import AsyncInstantSearch
@testable import InstantSearchClient

/// The recorded sessions of a file, with the answers of the service.
struct SessionFile {
  let sessions: [JSON]
  private let exchanges: [JSON]
  private let facetExchanges: [JSON]
  private let records: [String: JSON]

  init(_ json: JSON) throws {
    sessions = try VectorFiles.list("sessions", of: json)
    exchanges = try VectorFiles.list("exchanges", of: json)
    facetExchanges = try VectorFiles.list("facetExchanges", of: json)
    records = Dictionary(
      try VectorFiles.list("records", of: json).map { ($0["objectID"]?.stringValue ?? "", $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// A recorded query: its index and its parameters.
  func request(_ number: Int) -> JSON { exchanges[number]["request"] ?? [:] }

  /// The answer to a recorded query, with its records.
  func answer(_ number: Int) -> JSON {
    guard case .object(var members)? = exchanges[number]["answer"] else { return .null }
    members["hits"] = .array(
      (members["hits"]?.strings ?? []).map { records[$0] ?? ["objectID": .string($0)] })
    return .object(members)
  }

  /// A recorded search for values of a facet: its index and its parameters.
  func facetRequest(_ number: Int) -> JSON { facetExchanges[number]["request"] ?? [:] }

  /// The answer to a recorded search for values of a facet.
  func facetAnswer(_ number: Int) throws -> FacetValuesPage {
    try (facetExchanges[number]["answer"] ?? [:]).decode(FacetValuesPage.self)
  }
}

extension Tolerance {
  /// What the parameters of queries can differ in.
  static var queries: [Tolerance] {
    [
      both(.listOrder) { query in
        for name in ["numericFilters", "ruleContexts"] { query.change([name]) { $0.sort() } }
      },
      recorded(.facetAsList) { query in
        query.change(["facets"]) { if $0.stringValue != nil { $0 = [$0] } }
      },
      recorded(.tagsAsList) { query in
        query.change(["tagFilters"]) { tags in
          let names = (tags.stringValue ?? "").split(separator: ",")
          tags = .array(names.map { .string(String($0)) })
        }
      },
    ]
  }

  /// What the queries of a session can differ in.
  ///
  /// - Parameter removed: The facets of removed rating menus that no widget declares.
  static func queries(removed: Set<String>) -> [Tolerance] {
    queries.map(\.inParameters)
      + [
        Tolerance.recorded(.removedRatingFacet) { query in
          query.change(["facets"]) { $0.filter { !removed.contains($0.stringValue ?? "") } }
        },
        Tolerance.recorded(.highlightTags) { query in
          query.remove(["highlightPreTag", "highlightPostTag"])
        },
      ].map(\.inParameters)
  }

  /// The same change of the parameters of a query with its index.
  private var inParameters: Tolerance {
    Tolerance(exemption) { ours, recorded in
      guard var parameters = ours["params"], var others = recorded["params"] else { return }
      change(&parameters, &others)
      ours["params"] = parameters
      recorded["params"] = others
    }
  }
}
