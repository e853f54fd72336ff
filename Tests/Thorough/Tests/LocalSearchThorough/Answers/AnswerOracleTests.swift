@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import InstantSearchJSON
@testable import LocalSearch
import TestSupport
import Testing

/// Whole answers of an engine are those of a search by brute force: hits and their order, counts,
/// facets and their order, highlights, pages. Records are written in several batches, replaced and
/// deleted, settings change, and the engine is opened again from its file in the middle.
struct AnswerOracleTests {
  /// An engine, and what it has to have.
  private struct Kept {
    static let index = "items"

    var world: AnswerWorld
    /// The number of different IDs.
    private let idCount: Int
    private var disk: SimulatedDisk
    private var engine: LocalSearch
    private var settings: IndexSettings
    private var documents: [String: OracleDocument] = [:]
    private var synonyms: [Synonym] = []

    init(seed: UInt64) async throws {
      world = AnswerWorld(seed: seed)
      idCount = world.chance(10) ? 150 : 30
      disk = SimulatedDisk(seed: seed)
      engine = try await KeptEngine.open(disk, minimumJournalSize: 1 << 22)
      settings = world.settings()
      try await engine.setSettings(settings, of: Self.index)
      if world.chance(70) { try await saveSynonyms() }
      try await saveDictionaries()
    }

    // MARK: Writes

    private func saveDictionaries() async throws {
      for dictionary in DictionaryEntry.Dictionary.allCases {
        let requests = try OracleWorld.dictionaryEntries.filter { $0.dictionary == dictionary }
          .map { ["action": "addEntry", "body": try JSON(encoding: $0)] as JSON }
        let response = try await engine.send(
          TransportRequest(
            .dictionaries(.batch(dictionary: dictionary.rawValue)),
            body: Array((["requests": .array(requests)] as JSON).text.utf8)))
        expectEqual(response.status, 200)
      }
    }

    private mutating func saveSynonyms() async throws {
      synonyms = world.synonyms()
      let body = try JSON.array(synonyms.map { try JSON(encoding: $0) }).text
      let response = try await engine.send(
        TransportRequest(
          .synonyms(index: Self.index, .batch),
          queryItems: [QueryItem(name: "replaceExistingSynonyms", value: "true")],
          body: Array(body.utf8)))
      expectEqual(response.status, 200, "\(String(decoding: response.body, as: UTF8.self))")
    }

    mutating func write() async throws {
      switch world.int(0..<10) {
      case 0: try await delete()
      case 1: try await deleteByFilter()
      case 2: try await change()
      case 4: try await saveSynonyms()
      case 3: try await load()
      default: try await save()
      }
    }

    private mutating func records() -> [OracleRecord] {
      (0..<world.int(1..<idCount / 2)).map { _ in world.record(world.int(0..<idCount)) }
    }

    private mutating func save() async throws {
      let records = try records().map { try OracleDocument($0, settings: settings) }
      for record in records { documents[record.record.objectID] = record }
      try await engine.save(records.map(\.members), in: Self.index)
    }

    private mutating func load() async throws {
      let records = try records().map { try OracleDocument($0, settings: settings) }
      for record in records { documents[record.record.objectID] = record }
      let lines = records.map(\.members.text).joined(separator: "\n")
      try await engine.load(Array(lines.utf8), into: Self.index)
    }

    private mutating func delete() async throws {
      let ids = (0..<3).map { _ in "id\(world.int(0..<idCount))" }
      for id in ids { documents[id] = nil }
      try await engine.delete(objectIDs: ids, from: Self.index)
    }

    private mutating func deleteByFilter() async throws {
      let groups = world.groups()
      guard let text = groups.text else { return }
      for (id, document) in documents where groups.holds(document.members) { documents[id] = nil }
      try await engine.delete(
        matching: SearchQuery("").setting(\.filters, to: text), from: Self.index)
    }

    /// Other settings, or another value in a record.
    private mutating func change() async throws {
      if world.chance(50) {
        settings = world.settings()
        try await engine.setSettings(settings, of: Self.index)
        documents = try documents.mapValues { try OracleDocument($0.record, settings: settings) }
      } else if let id = documents.keys.min(), var record = documents[id]?.record {
        record.score = world.int(0..<3)
        documents[id] = try OracleDocument(record, settings: settings)
        try await engine.partialUpdate(
          [["objectID": .string(id), "score": .int(Int64(record.score ?? 0))] as JSON],
          in: Self.index)
      }
    }

    // MARK: The file

    mutating func reopen() async throws {
      switch world.int(0..<4) {
      case 0:
        // The journal is folded in, and further writes are in a new one.
        try await engine.checkpoint()
        if world.chance(50) { try await write() }
        await engine.close()
        disk = disk.afterExit()
        engine = try await KeptEngine.open(disk)
      case 1:
        // A journal that ends with the power.
        disk = disk.afterPowerFailure(seed: UInt64(world.int(0..<1000)))
        engine = try await KeptEngine.open(disk, minimumJournalSize: 1 << 22)
      case 2:
        try await engine.save(to: "copy.search")
        engine = try await LocalSearch(
          contentsOf: "copy.search", configuration: KeptEngine.configuration(disk))
      default:
        engine = engine.clone()
      }
    }

    // MARK: Searches

    mutating func ask() async throws {
      let request = try world.request()
      let expected = try OracleAnswer(
        request, documents: Array(documents.values), settings: settings, synonyms: synonyms
      ).json()
      let body = try JSON(encoding: request.query).text
      let response = try await engine.send(
        TransportRequest(.search(index: Self.index), body: Array(body.utf8)))
      let found = try AnswerOracleTests.compared(response.body)
      guard found != expected else { return }
      Issue.record(
        """
        \(AnswerOracleTests.difference(found, expected))
        query \(body)
        settings \(try JSON(encoding: settings).text)
        synonyms \(try JSON.array(synonyms.map { try JSON(encoding: $0) }).text)
        records \(JSON.array(documents.values.map(\.members)).text)
        """)
    }
  }

  @Test(arguments: Seed.all(1000, quick: 10)) func answersAreThoseOfBruteForce(
    seed: Seed
  ) async throws {
    var kept = try await Kept(seed: seed.value)
    for _ in 0..<kept.world.int(1..<6) { try await kept.write() }
    for _ in 0..<4 { try await kept.ask() }
    try await kept.reopen()
    for _ in 0..<3 { try await kept.ask() }
    for _ in 0..<kept.world.int(1..<4) { try await kept.write() }
    for _ in 0..<3 { try await kept.ask() }
  }

  @Test func worldsGiveUsefulAnswers() throws {
    var counts: [String: Int] = [:]
    for seed in 1...40 as ClosedRange<UInt64> {
      var world = AnswerWorld(seed: seed)
      let settings = world.settings()
      let documents = try (0..<15).map { try OracleDocument(world.record($0), settings: settings) }
      for _ in 0..<5 {
        let answer = try OracleAnswer(world.request(), documents: documents, settings: settings)
          .json()
        let text = answer.text
        if answer["nbHits"]?.intValue ?? 0 > 1 { counts["hits", default: 0] += 1 }
        for part in [
          "<em>", "queryAfterRemoval", #""_distinctSeqID":1"#, "automaticRadius", "facets_stats",
          "geoDistance", #""fullyHighlighted":true"#,
        ] where text.contains(part) {
          counts[part, default: 0] += 1
        }
      }
    }
    #expect(counts["hits", default: 0] > 50, "\(counts)")
    #expect(counts.count == 8 && counts.values.allSatisfy { $0 > 1 }, "\(counts)")
  }

  // MARK: Answers

  /// The members of an answer that the oracle has too.
  private static func compared(_ body: [UInt8]) throws -> JSON {
    let answer = try JSON(parsing: body)
    guard let hits = answer["hits"]?.arrayValue else { throw Refusal(answer) }
    var result: JSON = [:]
    for name in [
      "nbHits", "page", "nbPages", "hitsPerPage", "offset", "length", "facets_stats",
      "queryAfterRemoval", "automaticRadius",
    ] {
      result[name] = answer[name]
    }
    result["hits"] = .array(
      hits.map { hit in
        var hit = hit
        if var info = hit["_rankingInfo"] {
          info["geoPrecision"] = nil
          info["matchedGeoLocation"] = nil
          hit["_rankingInfo"] = info
        }
        return hit
      })
    let facets = try JSONDocument(body).root["facets"]
    result["facets"] = .array(
      facets.map { facets in
        facets.members.map { facet in
          [
            .string(facet.key),
            .array(facet.value.members.map { [.string($0.key), .int($0.value.int64 ?? -1)] }),
          ]
        }
      } ?? [])
    return result
  }

  /// The first parts in which two answers differ.
  private static func difference(_ found: JSON, _ expected: JSON) -> String {
    var result: [String] = []
    for name in Set((found.objectValue ?? [:]).keys).union((expected.objectValue ?? [:]).keys)
      .sorted()
    where found[name] != expected[name] {
      if name == "hits" {
        let (left, right) = (found[name]?.arrayValue ?? [], expected[name]?.arrayValue ?? [])
        result.append("hits \(left.map(\.id)), expected \(right.map(\.id))")
        for (left, right) in zip(left, right) where left != right {
          result.append("hit \(left.text)\nexpected \(right.text)")
          break
        }
      } else {
        result.append(
          "\(name) \(found[name]?.text ?? "-"), expected \(expected[name]?.text ?? "-")")
      }
    }
    return result.joined(separator: "\n")
  }
}
