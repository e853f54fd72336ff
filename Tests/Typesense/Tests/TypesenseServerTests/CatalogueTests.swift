import Foundation
import InstantSearchClient
import LocalSearch
import Testing
import TypesenseTransport

@Suite(.serialized) struct CatalogueTests {
  static let count =
    ProcessInfo.processInfo.environment["TYPESENSE_COUNT"].flatMap { Int($0) } ?? 20_000
  static let queryCount =
    ProcessInfo.processInfo.environment["TYPESENSE_QUERIES"].flatMap { Int($0) } ?? 2000

  @Test("2,000 random queries without typos find the same as the engine")
  func exactQueries() async throws {
    let server = try Server.single.get()
    let transport = TypesenseTransport(nodes: server.nodes, apiKey: Server.key)
    let engine = LocalSearch()
    let catalogue = Catalogue(count: Self.count, seed: 1)
    let clock = ContinuousClock()
    for transport in [transport, engine] as [any SearchTransport] {
      let start = clock.now
      let client = SearchClient(transport: transport)
      _ = try await transport.send(
        TransportRequest(
          .setSettings(index: "catalogue"), body: Array(catalogue.settings.text.utf8)))
      _ = try await client.save(catalogue.records, in: "catalogue")
      print("filled in", clock.now - start)
    }
    var dice = Dice(seed: 2)
    var different = 0
    var (mine, theirs) = (Duration.zero, Duration.zero)
    for number in 0..<Self.queryCount {
      let query = catalogue.exactQuery(&dice)
      let start = clock.now
      let one = try await answers(["catalogue", "query"], query, [transport])[0]
      let middle = clock.now
      let other = try await answers(["catalogue", "query"], query, [engine])[0]
      mine += middle - start
      theirs += clock.now - middle
      let issues =
        one["message"]?.stringValue?.contains("terms, operators") == true
        ? [] : Self.differences(one, other)
      if !issues.isEmpty {
        different += 1
        if different < 25 {
          print(
            "query", number, query.text, "\n   ", issues.joined(separator: "; "),
            one["message"] as Any)
        }
      }
    }
    print("different:", different, "of", Self.queryCount, "in", mine, "and", theirs)
    #expect(different == 0)
  }

  static func differences(_ one: JSON, _ other: JSON) -> [String] {
    var issues: [String] = []
    if one["nbHits"] != other["nbHits"] {
      issues.append("nbHits \(one["nbHits"]?.text ?? "-") for \(other["nbHits"]?.text ?? "-")")
    }
    func ids(_ json: JSON) -> Set<String> {
      Set((json["hits"]?.arrayValue ?? []).compactMap { $0["objectID"]?.stringValue })
    }
    let isWhole =
      other["nbHits"]?.intValue ?? 0 <= 1000 && other["page"]?.intValue == 0
      && other["hitsPerPage"]?.intValue == 1000
    if isWhole, ids(one) != ids(other) {
      issues.append(
        "missing \(ids(other).subtracting(ids(one)).sorted().prefix(3)) more \(ids(one).subtracting(ids(other)).sorted().prefix(3))"
      )
    }
    if one["hits"]?.arrayValue?.count != other["hits"]?.arrayValue?.count { issues.append("count") }
    if one["facets"] != other["facets"] {
      issues.append(
        "facets \(one["facets"]?.text.prefix(300) ?? "-") for \(other["facets"]?.text.prefix(300) ?? "-")"
      )
    }
    if let stats = one["facets_stats"] ?? other["facets_stats"] {
      _ = stats
      let (a, b) = (one["facets_stats"], other["facets_stats"])
      for (name, value) in b?.objectValue ?? [:] {
        for member in ["min", "max", "avg", "sum"] {
          let (x, y) = (a?[name]?[member]?.doubleValue ?? .nan, value[member]?.doubleValue ?? .nan)
          if !(abs(x - y) <= 1e-6 * max(1, abs(y))) {
            issues.append("stats \(name) \(member) \(x) for \(y)")
          }
        }
      }
    }
    return issues
  }
}
