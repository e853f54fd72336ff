@testable import AsyncInstantSearchTesting
import Foundation
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Every version opens the files of this and of earlier versions.
///
/// A sample is a folder with the files of an engine, as a program left them that ended without a
/// checkpoint, and with what the engine had. To write the sample of a new version, run this test
/// with the environment variable `ASYNC_INSTANTSEARCH_RECORD`. Samples of other versions stay.
struct SampleFileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Samples")
  private static let contents = "contents.json"

  private static func sample(_ version: UInt32) -> URL {
    folder.appending(path: "version-\(version)")
  }

  @Test(arguments: 1...FileFormat.version) func samplesOpen(version: UInt32) async throws {
    if version == FileFormat.version,
      ProcessInfo.processInfo.environment["ASYNC_INSTANTSEARCH_RECORD"] != nil
    {
      try await Self.record()
    }
    let disk = try Self.disk(version)
    expectEqual(disk.paths.count, 2, "a file and its journal")
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    let expected = try JSON(
      parsing: [UInt8](Data(contentsOf: Self.sample(version).appending(path: Self.contents))))
    try await expectEqual(Self.contents(of: engine, version), expected)
    // It goes on, and is saved in the newest version.
    try await engine.save([["objectID": "new", "color": "red"] as JSON], in: "films")
    try await engine.checkpoint()
    await engine.close()
    let again = try await KeptEngine.open(disk.afterExit())
    expectEqual(again.recordCount(of: "films"), engine.recordCount(of: "films"))
  }

  /// After a checkpoint, the journal of another engine is refused.
  @Test(arguments: 1...FileFormat.version) func writtenSamplesFindForeignJournals(
    version: UInt32
  ) async throws {
    var disks: [SimulatedDisk] = []
    for number in 0..<2 {
      let disk = try Self.disk(version)
      let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
      let records = [["objectID": .string("\(number)")] as JSON]
      try await engine.save(records, in: "films")
      try await engine.checkpoint()
      try await engine.save(records, in: "films")
      disks.append(disk)
    }
    let mixed = disks[0].afterExit()
    for path in mixed.paths where path.contains("journal") { mixed[path] = disks[1][path] }
    await #expect {
      _ = try await KeptEngine.open(mixed)
    } throws: { error in
      (error as? SearchError)?.message.contains(" does not follow the file; if ") == true
    }
  }

  /// Returns the files of a sample.
  private static func disk(_ version: UInt32) throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    for file in try FileManager.default.contentsOfDirectory(
      at: sample(version), includingPropertiesForKeys: nil)
    where file.lastPathComponent != Self.contents {
      disk[file.lastPathComponent] = [UInt8](try Data(contentsOf: file))
    }
    return disk
  }

  // MARK: Contents

  private static let queries: [JSON] = [
    ["query": ""], ["query": "lable 3"], ["query": "la", "distinct": 1],
    ["query": "", "filters": "size > 0 AND NOT color:red"],
    ["query": "", "aroundLatLng": "10,10", "aroundRadius": 3_000_000], ["query": "größe"],
    // Since version 2.
    ["query": "京都"],
  ]

  /// What each index has, without what later versions may add to answers.
  private static func contents(
    of engine: LocalSearch, _ version: UInt32 = FileFormat.version
  ) async throws -> JSON {
    var result: JSON = [:]
    for name in engine.indexNames {
      let settings = try await read(engine, ["settings"], of: name)
      var index: JSON = ["settings": [:], "synonyms": [], "rules": []]
      for setting in [
        "searchableAttributes", "attributesForFaceting", "customRanking", "ranking", "replicas",
        "attributeForDistinct", "userData",
      ] {
        index["settings"]?[setting] = settings[setting]
      }
      index["synonyms"] = try await read(engine, ["synonyms", "s"], of: name)["synonyms"]
      var records: JSON = [:]
      var answers: [JSON] = []
      for query in queries.dropLast(version == 1 ? 1 : 0) {
        let response = try await engine.send(
          TransportRequest(
            .search(index: name),
            body: Array((query.merging(["facets": ["*"], "hitsPerPage": 500])).text.utf8)))
        let answer = try JSON(parsing: response.body)
        for var hit in answer["hits"]?.arrayValue ?? [] {
          hit["_highlightResult"] = nil
          hit["_distinctSeqID"] = nil
          records[hit.id] = hit
        }
        let ids = (answer["hits"]?.arrayValue ?? []).map { JSON.string($0.id) }
        answers.append(["ids": .array(ids), "facets": answer["facets"] ?? .null])
      }
      index["answers"] = .array(answers)
      index["records"] = records
      result[name] = index
    }
    return result
  }

  private static func read(
    _ engine: LocalSearch, _ path: [String], of index: String
  ) async throws -> JSON {
    try JSON(
      parsing: await engine.send(
        TransportRequest(
          method: .get, pathComponents: ["1", "indexes", index] + path, callType: .read)
      ).body)
  }

  // MARK: Recording

  private static func record() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    var settings = RandomRecords.settings
    settings.searchableAttributes = ["label", "unordered(color)", "note"]
    settings.customRanking = ["desc(size)", "asc(color)"]
    settings.ranking.insert("desc(price)", at: 7)
    settings.attributeForDistinct = "color"
    settings.userData = ["a": [1, nil, "é"]]
    try await engine.setSettings(settings, of: "films")
    try await engine.save(records(0..<30), in: "films")
    try await engine.delete(objectIDs: ["3", "7"], from: "films")
    for step in KeptEngine.Step.allCases { try await step.perform(on: engine) }
    // The rest is in the journal only.
    try await engine.checkpoint()
    try await engine.save(records(25..<36), in: "films")
    for step in KeptEngine.Step.allCases where step != .checkpoint {
      try await step.perform(on: engine)
    }
    let state = try await contents(of: engine)
    let files = disk.afterExit()
    let sample = sample(FileFormat.version)
    try? FileManager.default.removeItem(at: sample)
    try FileManager.default.createDirectory(at: sample, withIntermediateDirectories: true)
    for path in files.paths where !path.hasSuffix(".lock") {
      try Data(files[path] ?? []).write(to: sample.appending(path: path))
    }
    try Data(state.text.utf8).write(to: sample.appending(path: contents))
  }

  private static func records(_ numbers: Range<Int>) -> [JSON] {
    var random = RandomRecords(seed: UInt64(numbers.lowerBound + 1))
    return numbers.map { number in
      var record = random.record(number)
      record["_geoloc"] = ["lat": .int(Int64(number)), "lng": .int(Int64(number % 7))]
      if number.isMultiple(of: 3) { record["note"] = "Größe, e\u{301}té \(number)" }
      if number.isMultiple(of: 4) { record["note"] = "東京都 \(number)" }
      return record
    }
  }
}

extension JSON {
  fileprivate func merging(_ members: [String: JSON]) -> JSON {
    var result = self
    for (name, value) in members { result[name] = value }
    return result
  }
}
