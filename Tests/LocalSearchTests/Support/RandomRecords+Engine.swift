@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport

extension RandomRecords {
  /// An engine whose records came in several writes, so that there are several segments with
  /// replaced and deleted records; and the remaining records.
  mutating func fixture(
    _ count: Int, settings: IndexSettings = Self.settings
  ) async throws -> (fixture: EngineFixture, records: [JSON]) {
    let fixture = try await EngineFixture(settings: settings)
    var left: [String: JSON] = [:]
    for batch in 0..<5 {
      let some = (0..<count / 4).map { _ in
        record(Int.random(in: 0..<count, using: &generator) / (batch + 1))
      }
      for record in some { left[record["objectID"]?.stringValue ?? ""] = record }
      try await fixture.engine.save(some, in: EngineFixture.index)
    }
    let deleted = left.keys.sorted().filter { _ in chance(10) }
    try await fixture.engine.delete(objectIDs: deleted, from: EngineFixture.index)
    for id in deleted { left[id] = nil }
    return (fixture, left.sorted { $0.key < $1.key }.map(\.value))
  }
}
