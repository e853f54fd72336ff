import Foundation
import InstantSearchClient
import LocalSearch
import Testing
import TypesenseTransport

/// Random queries over a catalogue of 20,000 records, on the server and on the embedded engine.
@Suite(.serialized, .enabled(if: Server.reason == nil, "\(Server.reason ?? "")"))
struct CatalogueTests {
  private static let catalogue = Catalogue(count: 20_000, seed: 1)
  static let filled = Task { try await fill() }

  /// The transports, with the catalogue.
  private static func fill() async throws -> (server: TypesenseTransport, engine: LocalSearch) {
    let server = TypesenseTransport(nodes: try Server.single.get().nodes, apiKey: Server.key)
    let engine = LocalSearch()
    for transport in [server, engine] as [any SearchTransport] {
      let response = try await transport.send(
        TransportRequest(
          .setSettings(index: "catalogue"), body: Array(catalogue.settings.text.utf8)))
      expectEqual(response.status, 200)
      _ = try await SearchClient(transport: transport).save(catalogue.records, in: "catalogue")
    }
    return (server, engine)
  }

  private func answer(_ query: JSON, _ transport: any SearchTransport) async throws -> JSON {
    let response = try await transport.send(
      TransportRequest(.search(index: "catalogue"), body: Array(query.text.utf8)))
    return try JSON(parsing: response.body)
  }

  /// Whether the server's limit of terms in a filter is the reason for an error.
  private func hasTooManyTerms(_ answer: JSON) -> Bool {
    answer["message"]?.stringValue?.contains("terms, operators and parentheses") ?? false
  }

  @Test("2,000 random queries without typos have the hits, counts and facets of the engine")
  func exactQueries() async throws {
    let (server, engine) = try await Self.filled.value
    var dice = Dice(seed: 2)
    var refused = 0
    for number in 0..<2000 {
      let query = Self.catalogue.exactQuery(&dice)
      let one = try await answer(query, server)
      if hasTooManyTerms(one) {
        refused += 1
        continue
      }
      let differences = try await Self.differences(one, answer(query, engine))
      #expect(differences.isEmpty, "query \(number) \(query.text)")
    }
    print("\(refused) of 2000 queries had too many filters")
    #expect(refused < 20)
  }

  @Test("Random queries with typos find what the engine finds, but for known causes")
  func queriesWithTypos() async throws {
    let (server, engine) = try await Self.filled.value
    var dice = Dice(seed: 3)
    let records = Dictionary(
      uniqueKeysWithValues: Self.catalogue.records.map { ($0["objectID"]?.stringValue ?? "", $0) })
    var (same, cut) = (0, 0)
    var more: [TypoCause: Int] = [:]
    var fewer: [TypoCause: Int] = [:]
    var examples: [String] = []
    for _ in 0..<500 {
      let query = Self.catalogue.queryWithTypos(&dice)
      let (one, other) = try await (answer(query, server), answer(query, engine))
      let (found, wanted) = (Self.ids(one), Self.ids(other))
      if found == wanted {
        same += 1
        continue
      }
      // The best of both are others, because they have another order.
      if max(one["nbHits"]?.intValue ?? 0, other["nbHits"]?.intValue ?? 0) > 1000 {
        cut += 1
        continue
      }
      let text = query["query"]?.stringValue ?? ""
      for id in found.symmetricDifference(wanted) {
        let isOnServer = found.contains(id)
        var cause = TypoCause.of(text, records[id] ?? nil, isOnServer: isOnServer)
        if cause == .unknown, !isOnServer, try await findsEachWord(of: text, id, server) {
          cause = .several
        }
        if isOnServer { more[cause, default: 0] += 1 } else { fewer[cause, default: 0] += 1 }
        if cause == .unknown, examples.last?.hasPrefix(text + ":") != true {
          examples.append("\(text): \(isOnServer ? "more" : "fewer") \(records[id]?.text ?? id)")
        }
      }
    }
    print("of 500 queries with typos \(same) find the same, \(cut) more than a page")
    for cause in TypoCause.allCases {
      print("\(more[cause] ?? 0) more and \(fewer[cause] ?? 0) fewer records: \(cause.rawValue)")
    }
    for example in examples.prefix(8) { print("unknown:", example) }
    #expect(same > 100)
    let all = more.values.reduce(0, +) + fewer.values.reduce(0, +)
    let unknown = (more[.unknown] ?? 0) + (fewer[.unknown] ?? 0)
    #expect(unknown * 100 <= all)
  }

  /// Whether a transport finds a record by each word of a query alone.
  private func findsEachWord(
    of query: String, _ id: String, _ transport: any SearchTransport
  ) async throws -> Bool {
    let words = query.split(separator: " ")
    for (number, word) in words.enumerated() {
      let answer = try await answer(
        [
          "query": .string(String(word)), "filters": .string("objectID:\"\(id)\""),
          "queryType": .string(number == words.count - 1 ? "prefixLast" : "prefixNone"),
        ], transport)
      if answer["nbHits"] != 1 { return false }
    }
    return words.count > 1
  }

  private static func ids(_ answer: JSON) -> Set<String> {
    Set((answer["hits"]?.arrayValue ?? []).compactMap { $0["objectID"]?.stringValue })
  }

  private static func differences(_ one: JSON, _ other: JSON) -> [String] {
    var differences: [String] = []
    for name in ["nbHits", "page", "nbPages", "hitsPerPage", "facets", "query", "params"]
    where one[name] != other[name] {
      differences.append(
        "\(name) \(one[name]?.text.prefix(300) ?? "-") for \(other[name]?.text.prefix(300) ?? "-")")
    }
    if one["hits"]?.arrayValue?.count != other["hits"]?.arrayValue?.count {
      differences.append("the number of hits")
    }
    // Records that rank alike can be on another page.
    let isWhole = other["nbHits"]?.intValue == other["hits"]?.arrayValue?.count
    if isWhole, ids(one) != ids(other) { differences.append("the hits") }
    for (name, statistics) in other["facets_stats"]?.objectValue ?? [:] {
      for (member, value) in statistics.objectValue ?? [:] {
        let found = one["facets_stats"]?[name]?[member]?.doubleValue ?? .nan
        let wanted = value.doubleValue ?? .nan
        if !((found - wanted).magnitude <= 1e-6 * max(1, wanted.magnitude)) {
          differences.append("\(member) of \(name): \(found) for \(wanted)")
        }
      }
    }
    return differences
  }
}
