import Foundation
import InstantSearchClient
import Synchronization
import Testing
import TypesenseTransport

/// Settings that change while programs write and search.
@Suite(.serialized, .enabled(if: Server.reason == nil, "\(Server.reason ?? "")"))
final class RebuildTests: Sendable {
  private static let recordCount = 120

  /// The version of each record, or `nil` for a deleted one.
  private let records = Mutex<[Int?]>(Array(repeating: nil, count: RebuildTests.recordCount))
  private let isOver = Mutex(false)
  private let failures = Mutex<[String]>([])
  private let counts = Mutex((reads: 0, writes: 0))

  @Test("No write is lost and no search fails while collections are replaced", arguments: [1, 3])
  func changes(nodeCount: Int) async throws {
    let server = try Server(nodeCount: nodeCount)
    let configuration = TypesenseTransport.Configuration(propagation: .milliseconds(1500))
    func transport() -> TypesenseTransport {
      TypesenseTransport(nodes: server.nodes, apiKey: Server.key, configuration: configuration)
    }
    let first = SearchClient(transport: transport())
    try await first.setSettings(IndexSettings(searchableAttributes: ["title"]), of: "records")
    try await withThrowingTaskGroup(of: Void.self) { group in
      // Each program has a transport of its own.
      for writer in 0..<3 {
        let transport = transport()
        group.addTask { await self.write(transport, writer) }
      }
      let reading = transport()
      group.addTask { await self.read(reading) }
      let changing = transport()
      for round in 0..<8 {
        let body: JSON =
          round.isMultiple(of: 4)
          ? [
            "attributesForFaceting": ["version", "f\(round)"],
            "searchableAttributes": ["title", "t\(round)"],
          ]
          : ["customRanking": ["desc(version\(round))"], "replicas": round > 4 ? ["other"] : []]
        let response = try await changing.send(
          TransportRequest(.setSettings(index: "records"), body: Array(body.text.utf8)))
        expectEqual(response.status, 200, "\(String(decoding: response.body, as: UTF8.self))")
      }
      isOver.withLock { $0 = true }
      try await group.waitForAll()
    }
    expectEqual(failures.withLock { Array($0.prefix(3)) }, [])
    let leading = TypesenseTransport(
      nodes: server.nodes, apiKey: Server.key,
      configuration: TypesenseTransport.Configuration(readsOwnWrites: true))
    var found: [String: Int] = [:]
    for try await record in SearchClient(transport: leading).browse("records", of: JSON.self) {
      found[record["objectID"]?.stringValue ?? ""] = record["version"]?.intValue
    }
    var wanted: [String: Int] = [:]
    for (number, version) in records.withLock({ $0 }).enumerated() {
      if let version { wanted["r\(number)"] = version }
    }
    expectEqual(found, wanted)
    print("\(nodeCount) nodes:", counts.withLock { $0 })
    // Nothing is left of the collections between.
    let response = try await SystemExchange.send(
      HTTPExchangeRequest(
        method: .get, url: "http://127.0.0.1:\(server.ports[0])/collections",
        headers: [HTTPHeader(name: "X-TYPESENSE-API-KEY", value: Server.key)],
        timeout: .seconds(10)))
    let names = (try JSON(parsing: response.body).arrayValue ?? []).compactMap {
      $0["name"]?.stringValue
    }
    expectEqual(names.filter { $0.hasPrefix("records~") }.count, 1)
  }

  private func write(_ transport: TypesenseTransport, _ writer: Int) async {
    var dice = Dice(seed: UInt64(writer))
    var version = 0
    while !isOver.withLock({ $0 }) {
      let number = Int.random(in: 0..<Self.recordCount / 3, using: &dice) * 3 + writer
      version += 1
      let isDeletion = dice.percent(30)
      let record: JSON = [
        "objectID": .string("r\(number)"), "title": "word", "version": .int(Int64(version)),
      ]
      do {
        let response = try await transport.send(
          isDeletion
            ? TransportRequest(.deleteObject(index: "records", objectID: "r\(number)"))
            : TransportRequest(
              .replaceObject(index: "records", objectID: "r\(number)"),
              body: Array(record.text.utf8)))
        if response.status == 200 {
          let written = isDeletion ? nil : version
          records.withLock { $0[number] = written }
          counts.withLock { $0.writes += 1 }
        } else {
          fail("\(response.status) \(String(decoding: response.body, as: UTF8.self))")
        }
      } catch {
        fail("\(error)")
      }
    }
  }

  private func read(_ transport: TypesenseTransport) async {
    while !isOver.withLock({ $0 }) {
      do {
        let response = try await transport.send(
          TransportRequest(
            .search(index: "records"), body: Array(#"{"query":"word","hitsPerPage":250}"#.utf8)))
        counts.withLock { $0.reads += 1 }
        let answer = try JSON(parsing: response.body)
        let hits = answer["hits"]?.arrayValue ?? []
        // The server counts documents, and then reads them; a writer can delete one in between.
        let difference = (answer["nbHits"]?.intValue ?? -100) - hits.count
        if response.status != 200 || !(0...3).contains(difference) {
          fail("\(response.status) \(difference) \(answer.text.prefix(300))")
        }
      } catch {
        fail("\(error)")
      }
    }
  }

  private func fail(_ text: String) { failures.withLock { $0.append(text) } }
}
