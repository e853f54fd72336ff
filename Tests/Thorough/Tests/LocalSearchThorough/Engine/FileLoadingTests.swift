@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct FileLoadingTests {
  private func load(_ text: String, named name: String = "films.json") async throws -> JSON {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "local-search-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    let engine = LocalSearch()
    let ids = try await engine.load(contentsOf: file.path, into: "films")
    expectEqual(ids.count, engine.recordCount(of: "films") ?? 0)
    return .array(ids.map { .string($0) })
  }

  private func message(_ text: String, named name: String = "films.json") async -> String? {
    do {
      _ = try await load(text, named: name)
      return nil
    } catch {
      expectEqual((error as? SearchError)?.code, .invalidRequest)
      return (error as? SearchError)?.message
    }
  }

  @Test(
    arguments: [
      ("[{\"objectID\":\"a\"},{\"objectID\":2}]", ["a", "2"]),
      (" \n[ {\"objectID\":\"a\"}\n]\n", ["a"]), ("[]", []), ("", []), ("\n\n", []),
      ("{\"objectID\":\"a\"}\n{\"objectID\":\"b\"}", ["a", "b"]),
      ("\u{feff}{\"objectID\":\"a\"}\r\n\r\n{\"objectID\":\"b\"}\r\n", ["a", "b"]),
    ] as [(String, JSON)])
  func arraysAndLinesAreRead(text: String, ids: JSON) async throws {
    try await expectEqual(load(text), ids)
  }

  @Test func errorsNameTheFileAndTheLine() async throws {
    #expect(await message("[\n{\"a\":1},\n{\"a\":}\n]")?.hasPrefix("films.json:3:6: ") == true)
    #expect(
      await message("{\"a\":1}\n\n{\"a\" 1}", named: "x.ndjson")?.hasPrefix("x.ndjson:3:6: ")
        == true)
    await expectEqual(
      message("[\n{},\n3]"), "films.json:3: record 1: A record must be a JSON object")
    await expectEqual(message("{}\n[]"), "films.json:2: A record must be a JSON object")
    await expectEqual(
      message("{}\n{\"objectID\":1.5}"),
      "films.json:2: objectID must be a string or an integer")
    await expectEqual(
      message("[{\"objectID\":\"\"}]"),
      "films.json:1: record 0: objectID must not be empty")
  }

  /// Whatever call of the disk fails, nothing is loaded, and the error says why.
  @Test(arguments: SimulatedDisk.Fault.allCases) func failuresOfTheDiskAreErrors(
    fault: SimulatedDisk.Fault
  ) async throws {
    let padding = String(repeating: "a", count: 1000)
    let text = (0..<1500).map { "{\"objectID\":\"\($0)\",\"a\":\"\(padding)\"}" }.joined(
      separator: "\n")
    for call in 1...6 {
      let disk = SimulatedDisk()
      disk["films.ndjson"] = Array(text.utf8)
      let engine = LocalSearch(configuration: .init(disk: disk))
      disk.fail(call: call, with: fault)
      do {
        let ids = try await engine.load(contentsOf: "films.ndjson", into: "films")
        // The file has fewer calls, or the call has done its work.
        expectEqual(ids.count, 1500)
        #expect(disk.callCount < call || fault == .short)
      } catch {
        expectEqual(error.code, .invalidRequest)
        expectEqual(error.message, "Cannot read films.ndjson.")
        expectEqual(
          error.underlying, fault == .full ? "the disk is full" : "the simulated disk failed")
        expectEqual(engine.indexNames, [])
      }
    }
  }

  @Test func missingFileIsNamed() async throws {
    await #expect {
      try await LocalSearch().load(contentsOf: "/no/such/films.json", into: "films")
    } throws: { error in
      let error = error as? SearchError
      return error?.message == "Cannot read /no/such/films.json."
        && error?.underlying == "there is no such file"
    }
  }

  @Test func folderIsRejected() async throws {
    await #expect {
      try await LocalSearch().load(
        contentsOf: FileManager.default.temporaryDirectory, into: "films")
    } throws: { error in
      let reason = (error as? SearchError)?.underlying
      return reason == "it is not a regular file; load its bytes instead"
    }
  }

  /// Such a file can be endless, or block until something writes to it.
  @Test func deviceIsRejected() async throws {
    await #expect {
      try await LocalSearch().load(contentsOf: "/dev/zero", into: "films")
    } throws: { error in
      let reason = (error as? SearchError)?.underlying
      return reason == "it is not a regular file; load its bytes instead"
    }
  }

  /// Lines without a record are read once each.
  @Test func emptyLinesTakeAsManyStepsAsOthers() async throws {
    func checks(_ count: Int) async throws -> Int {
      var configuration = LocalSearch.Configuration()
      configuration.checkInterval = 16
      let clock = CountingClock()
      let text = String(repeating: "\n", count: count) + "{\"objectID\":\"a\"}\n"
      let ids = try await LocalSearch(configuration: configuration).load(
        Array(text.utf8), into: "films", deadline: clock.deadline(atCheck: nil))
      expectEqual(ids, ["a"])
      return clock.reads
    }
    let (none, some, many) = try await (checks(0), checks(4000), checks(16_000))
    // Linear: an earlier version took sixteen times as many.
    #expect(many - none <= 6 * (some - none), "\(none) \(some) \(many)")
  }

  @Test func recordOverSeveralLinesIsExplained() async throws {
    let text = await message("{\n  \"a\": 1\n}\n")
    #expect(text?.hasPrefix("films.json:1:2: ") == true)
    #expect(
      text?.hasSuffix("; write each record on one line, or all of them as one array") == true)
    #expect(await message("{\"a\":1}\n{")?.contains("one line") == false)
  }
}
