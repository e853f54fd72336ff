@testable import AsyncInstantSearchTesting
import Foundation
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// One engine at a time uses a file, by whatever path, and only the files that are its own.
struct FileUseTests {
  private static func save(_ number: Int, in engine: LocalSearch) async throws {
    try await engine.save([["objectID": .string("\(number)")] as JSON], in: "items")
  }

  private static let lostLock =
    "Cannot save to a.search: its lock or its folder was moved or removed while the engine used it."

  private static func configuration() -> LocalSearch.Configuration {
    var configuration = LocalSearch.Configuration()
    configuration.minimumJournalSize = .max
    return configuration
  }

  /// Runs work with a folder of its own, which is removed afterwards.
  private static func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(SystemDisk().absolutePath(of: folder.path))
  }

  private static func permissions(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  /// If the lock is lost, a second engine can open the file. The first one then writes nothing more
  /// there.
  @Test func anEngineThatLostItsLockWritesNothing() async throws {
    let disk = SimulatedDisk()
    let first = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await Self.save(1, in: first)
    disk[KeptEngine.path + ".lock"] = nil
    let second = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await Self.save(2, in: second)
    for call in [{ try await Self.save(3, in: first) }, { try await first.checkpoint() }] {
      await #expect {
        try await call()
      } throws: { error in
        (error as? SearchError)?.message == Self.lostLock
      }
    }
    let bytes = disk.paths.map { disk[$0] }
    await first.close()
    expectEqual(disk.paths.map { disk[$0] }, bytes)
    try await Self.save(4, in: second)
    try await second.checkpoint()
    await second.close()
    let reopened = try await KeptEngine.open(disk.afterExit())
    expectEqual(reopened.recordCount(of: "items"), 3)
  }

  /// A checkpoint does not replace the file of another engine if the lock is lost during it.
  @Test func aCheckpointThatLosesItsLockReplacesNothing() async throws {
    let disk = SimulatedDisk()
    let removesLock = Lock(false)
    var configuration = KeptEngine.configuration(disk, minimumJournalSize: .max)
    configuration.disk = InterceptedDisk { call in
      if removesLock.withLock({ $0 }), case .open(KeptEngine.path + ".checkpoint", _) = call {
        disk[KeptEngine.path + ".lock"] = nil
      }
      return disk
    }
    let engine = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    try await Self.save(1, in: engine)
    let bytes = disk[KeptEngine.path]
    removesLock.withLock { $0 = true }
    await #expect(throws: SearchError.self) { try await engine.checkpoint() }
    expectEqual(disk[KeptEngine.path], bytes)
    // It can be that of another engine.
    #expect(disk.paths.contains(KeptEngine.path + ".checkpoint"))
    try await expectEqual(KeptEngine.open(disk.afterExit()).recordCount(of: "items"), 1)
  }

  /// Saving a copy does not remove the lock of an engine that began in the meantime.
  @Test func aSaveThatLosesItsLockLeavesThatOfAnotherEngine() async throws {
    let disk = SimulatedDisk()
    let lockPath = KeptEngine.path + ".lock"
    for losesLock in [false, true] {
      let intercepted = InterceptedDisk { call in
        if losesLock, case .rename = call {
          disk[lockPath] = nil
          disk[lockPath] = []
        }
        return disk
      }
      try await LocalSearch().save(to: KeptEngine.path, on: intercepted)
      expectEqual(disk.paths.contains(lockPath), losesLock)
    }
  }

  /// The path is that at the time of the opening, also if the current directory changes later.
  @Test func aRelativePathIsMadeAbsolute() throws {
    let folder = try SystemDisk().absolutePath(of: ".")
    #expect(folder.hasPrefix("/"))
    let path = folder + "/a.search"
    let name = folder.split(separator: "/").last ?? ""
    for name in ["a.search", "./a.search", "../\(name)/a.search"] {
      try expectEqual(SystemDisk().absolutePath(of: name), path, "\(name)")
    }
  }

  /// A link leads to the file itself, with its lock and its journals.
  @Test func aLinkIsTheFile() async throws {
    try await Self.withFolder { folder in
      let (path, link) = (folder + "/a.search", folder + "/link")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.search")
      // A link to nothing would be replaced by a file.
      await #expect(throws: SearchError.self) {
        _ = try await LocalSearch(file: link, configuration: Self.configuration())
      }
      let engine = try await LocalSearch(file: path, configuration: Self.configuration())
      try await Self.save(1, in: engine)
      for name in [path, link] {
        await #expect {
          _ = try await LocalSearch(file: name, configuration: Self.configuration())
        } throws: { error in
          (error as? SearchError)?.message == "Cannot open \(name): another engine uses it."
        }
        await #expect(throws: SearchError.self) { _ = try await LocalSearch(contentsOf: name) }
        await #expect(throws: SearchError.self) { try await LocalSearch().save(to: name) }
      }
      await engine.close()
      let linked = try await LocalSearch(file: link, configuration: Self.configuration())
      try await Self.save(2, in: linked)
      try await linked.checkpoint()
      await linked.close()
      try expectEqual(
        FileManager.default.destinationOfSymbolicLink(atPath: link), "a.search")
      try await expectEqual(LocalSearch(contentsOf: path).recordCount(of: "items"), 2)
      try await LocalSearch().save(to: link)
      try await expectEqual(LocalSearch(contentsOf: path).indexNames, [])
    }
  }

  /// Nothing is written where a link leads in place of the lock, of a journal or of a new file.
  @Test func linksInPlaceOfOtherFilesAreNotFollowed() async throws {
    try await Self.withFolder { folder in
      let (path, other) = (folder + "/a.search", folder + "/other")
      try Data([1, 2, 3]).write(to: URL(filePath: other))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
      var configuration = Self.configuration()
      configuration.makeJournalNumber = { 7 }
      func isRefused(_ suffix: String) async throws -> Bool {
        let link = path + suffix
        try? FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
        defer { try? FileManager.default.removeItem(atPath: link) }
        do {
          let engine = try await LocalSearch(file: path, configuration: configuration)
          try await Self.save(1, in: engine)
          try await engine.checkpoint()
          await engine.close()
          return false
        } catch {
          #expect("\(error)".contains("it is not a file"), "\(error)")
          return true
        }
      }
      #expect(try await !isRefused(".checkpoint"))
      #expect(try await isRefused(".lock"))
      #expect(try await isRefused(".journal-8"))
      try expectEqual(Data(contentsOf: URL(filePath: other)), Data([1, 2, 3]))
      try expectEqual(Self.permissions(of: other), 0o600)
    }
  }

  /// A write is not acknowledged if the lock was lost during it, and nothing is cut off where
  /// another engine may write.
  @Test(arguments: [false, true]) func aWriteThatLosesItsLockIsAnError(
    alsoFails: Bool
  ) async throws {
    let disk = SimulatedDisk()
    let removesLock = Lock(false)
    let sizes = Lock<[Int?]>([])
    var configuration = KeptEngine.configuration(disk, minimumJournalSize: .max)
    configuration.disk = InterceptedDisk(disk: { _ in disk }) { path in
      guard removesLock.withLock({ $0 }) else { return }
      disk[KeptEngine.path + ".lock"] = nil
      sizes.withLock { $0.append(disk[path]?.count) }
    }
    let engine = try await LocalSearch(file: KeptEngine.path, configuration: configuration)
    let callCount = disk.callCount
    try await Self.save(1, in: engine)
    // The last calls of a write bring it to the disk, check the lock and the name of the journal,
    // and write the end mark.
    if alsoFails { disk.fail(call: 2 * disk.callCount - callCount - 3, with: .error) }
    removesLock.withLock { $0 = true }
    await #expect {
      try await Self.save(2, in: engine)
    } throws: { error in
      (error as? SearchError)?.message
        == (alsoFails
          ? "Cannot save to a.search: the simulated disk failed (a.search.journal-7)."
          : Self.lostLock)
    }
    expectEqual(engine.recordCount(of: "items"), 1)
    expectEqual(sizes.withLock { $0 }, [disk["a.search.journal-7"]?.count])
  }

  /// A write is taken back if the disk fails to tell whether the lock is held.
  @Test func aWriteWhoseLockIsUnknownIsTakenBack() async throws {
    let disk = SimulatedDisk()
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    let callCount = disk.callCount
    try await Self.save(1, in: engine)
    let count = disk.callCount - callCount
    // The check before the write succeeds, and that after it fails.
    let other = SimulatedDisk()
    let again = try await KeptEngine.open(other, minimumJournalSize: .max)
    other.fail(call: callCount + count - 2, with: .error)
    await #expect(throws: SearchError.self) { try await Self.save(1, in: again) }
    #expect(again.recordCount(of: "items") == nil)
    #expect(try await KeptEngine.open(other.afterExit()).recordCount(of: "items") == nil)
    try await Self.save(2, in: again)
    try await expectEqual(KeptEngine.open(other.afterExit()).recordCount(of: "items"), 1)
  }

  /// If its folder is moved, an engine does not write to another one of that name.
  @Test func aMovedFolderIsNotReplaced() async throws {
    try await Self.withFolder { folder in
      let (old, new) = (folder + "/old", folder + "/new")
      try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
      let engine = try await LocalSearch(
        file: old + "/a.search", configuration: Self.configuration())
      try await Self.save(1, in: engine)
      try FileManager.default.moveItem(atPath: old, toPath: new)
      try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
      await #expect(throws: SearchError.self) { try await Self.save(2, in: engine) }
      await #expect(throws: SearchError.self) { try await engine.checkpoint() }
      await engine.close()
      try expectEqual(FileManager.default.contentsOfDirectory(atPath: old), [])
      let moved = try await LocalSearch(
        file: new + "/a.search", configuration: Self.configuration())
      expectEqual(moved.recordCount(of: "items"), 1)
      await moved.close()
    }
  }

  /// A file keeps its permissions, and those beside it have no others.
  @Test func permissionsStay() async throws {
    try await Self.withFolder { folder in
      let path = folder + "/a.search"
      try await LocalSearch().save(to: path)
      let engine = try await LocalSearch(file: path, configuration: Self.configuration())
      try await Self.save(1, in: engine)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      expectEqual(names.count, 3)
      for name in names {
        try expectEqual(Self.permissions(of: folder + "/" + name), 0o600, "\(name)")
      }
      // A journal that is there gets them when the file is opened.
      let journal = folder + "/" + (names.first { $0.contains("journal") } ?? "")
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: journal)
      let disk = SystemDisk()
      _ = try disk.open(journal, .updating, permissionsOf: path)
      try expectEqual(Self.permissions(of: journal), 0o600)
      try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
      try await engine.checkpoint()
      try expectEqual(Self.permissions(of: path), 0o664)
      await engine.close()
      // The next opening can write those beside a file that its owner may not write.
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
      let again = try await LocalSearch(file: path, configuration: Self.configuration())
      try await Self.save(2, in: again)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder)
      where name != "a.search" {
        try expectEqual(Self.permissions(of: folder + "/" + name), 0o644, "\(name)")
      }
      await again.close()
    }
  }

  /// With an access list, the permissions of the group are those of the list. The group itself may
  /// have none.
  @Test func anAccessListGivesTheGroupNothing() async throws {
    try await Self.withFolder { folder in
      let path = folder + "/a.search"
      try await LocalSearch().save(to: path)
      // Another user can read the file, the group cannot.
      func entry(_ tag: UInt8, _ rights: UInt8, _ id: [UInt8] = [255, 255, 255, 255]) -> [UInt8] {
        [tag, 0, rights, 0] + id
      }
      let list =
        [2, 0, 0, 0] + entry(1, 6) + entry(2, 4, [57, 48, 0, 0]) + entry(4, 0) + entry(16, 4)
        + entry(32, 0)
      try? FileManager.default.setAttributes(
        [
          FileAttributeKey(rawValue: "NSFileExtendedAttributes"): [
            "system.posix_acl_access": Data(list)
          ]
        ], ofItemAtPath: path)
      // Not every file system has such lists.
      guard try Self.permissions(of: path) == 0o640 else { return }
      try await LocalSearch().save(to: path)
      try expectEqual(Self.permissions(of: path), 0o600)
    }
  }

  /// A file that is written again keeps its group. Without the right to give it, the group has no
  /// rights.
  @Test func theGroupStays() async throws {
    try await Self.withFolder { folder in
      let path = folder + "/a.search"
      try await LocalSearch().save(to: path)
      let other = 12_345
      let isGiven =
        (try? FileManager.default.setAttributes([.groupOwnerAccountID: other], ofItemAtPath: path))
        != nil
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      try await LocalSearch().save(to: path)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let group = (attributes[.groupOwnerAccountID] as? NSNumber)?.intValue
      if isGiven { expectEqual(group, other) }
      try expectEqual(Self.permissions(of: path), 0o640)
    }
  }

  /// Other files in the folder are left alone.
  @Test func neighboursStay() async throws {
    let disk = SimulatedDisk()
    let neighbours = ["a.search.new", "a.search.old", "a.search2", "a"]
    for name in neighbours { disk[name] = [1, 2, 3] }
    let engine = try await KeptEngine.open(disk, minimumJournalSize: .max)
    try await Self.save(1, in: engine)
    try await engine.checkpoint()
    await engine.close()
    for name in neighbours { expectEqual(disk[name], [1, 2, 3], "\(name)") }
  }

  /// A name that is not possible is refused before anything is created.
  @Test func namesWithoutRoomAreRefused() async throws {
    try await Self.withFolder { folder in
      let longest = String(repeating: "a", count: 227)
      for (name, problem) in [
        (longest + "a", "its name has 228 bytes, and at most 227 are possible"),
        (longest + longest, "its name has 454 bytes, and at most 227 are possible"),
        ("a\0b", "it is not a file"), ("a/b", "there is no such file (\(folder)/a)"),
        ("", "it is not a file"),
      ] {
        let path = folder + "/" + name
        await #expect("\(name)") {
          _ = try await LocalSearch(file: path, configuration: Self.configuration())
        } throws: { error in
          (error as? SearchError)?.message == "Cannot open \(path): \(problem)."
        }
        await #expect(throws: SearchError.self) { _ = try await LocalSearch(contentsOf: path) }
        await #expect(throws: SearchError.self) { try await LocalSearch().save(to: path) }
      }
      await #expect(throws: SearchError.self) {
        _ = try await LocalSearch(file: folder, configuration: Self.configuration())
      }
      #expect(!FileManager.default.fileExists(atPath: folder + ".lock"))
      try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder), [])
      try await LocalSearch().save(to: folder + "/" + longest)
      _ = try await LocalSearch(contentsOf: folder + "/" + longest)
      let engine = try await LocalSearch(
        file: folder + "/" + longest, configuration: Self.configuration())
      try await Self.save(1, in: engine)
      try await engine.checkpoint()
      await engine.close()
    }
  }

  /// A message names the file that is the reason.
  @Test func aFolderInPlaceOfAJournalIsNamed() async throws {
    try await Self.withFolder { folder in
      let path = folder + "/a.search"
      var configuration = Self.configuration()
      configuration.makeJournalNumber = { 7 }
      let engine = try await LocalSearch(file: path, configuration: configuration)
      await engine.close()
      try FileManager.default.createDirectory(
        atPath: path + ".journal-7", withIntermediateDirectories: true)
      await #expect {
        _ = try await LocalSearch(file: path, configuration: configuration)
      } throws: { error in
        (error as? SearchError)?.message
          == "Cannot open \(path): it is not a file (\(path).journal-7)."
      }
    }
  }
}
