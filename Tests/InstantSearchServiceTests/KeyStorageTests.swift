import AsyncInstantSearchTesting
import InstantSearchJSON
import InstantSearchService
import TestSupport
import Testing

/// Changes of keys are stored before they are in effect, and are there after the next start.
struct KeyStorageTests {
  private static func value(_ change: ServiceKeyChange) -> String {
    switch change {
    case .saved(let key): key.value
    case .deleted(let value), .restored(let value): value
    }
  }

  @Test func changesOfKeysAreToldInOrder() async throws {
    let told = Lock<[ServiceKeyChange]>([])
    let keys = try ServiceKeys(adminKey: "a") { changes in told.withLock { $0 += changes } }
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask { try? await keys.add(APIKey("k\(number)", acl: [])) }
      }
    }
    expectEqual(told.withLock { $0 }, keys.all.map(ServiceKeyChange.saved))
    expectEqual(keys.all.count, 50)
    for value in ["", "a"] {
      await #expect(throws: SearchError.self) {
        try await keys.add(APIKey(value, acl: [.search]))
      }
    }
  }

  /// A key is acknowledged after it is stored, also while others are.
  @Test func keysAreStoredBeforeTheirCallsReturn() async throws {
    final class Stored: Sendable { let values = Lock<Set<String>>([]) }
    let stored = Stored()
    let keys = try ServiceKeys(adminKey: "a") { changes in
      for _ in 0..<10 { await Task.yield() }
      stored.values.withLock { $0.formUnion(changes.map(Self.value)) }
    }
    try await withThrowingTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          try await keys.add(APIKey("k\(number)", acl: []))
          #expect(stored.values.withLock { $0.contains("k\(number)") })
        }
      }
      try await group.waitForAll()
    }
  }

  /// One call at a time stores, whenever changes come and whenever the keys are closed.
  @Test(arguments: Seed.all(60, quick: 6)) func oneCallAtATimeStores(seed: Seed) async throws {
    let calls = Lock((active: 0, most: 0))
    let keys = try ServiceKeys(adminKey: "a") { _ in
      calls.withLock { calls in
        calls.active += 1
        calls.most = max(calls.most, calls.active)
      }
      // Without it, storing ends after almost each change, and begins again.
      if seed.value.isMultiple(of: 2) { await Task.yield() }
      calls.withLock { $0.active -= 1 }
    }
    var generator = SeededGenerator(seed: seed.value)
    let closing = Int.random(in: 0..<500, using: &generator)
    let added = await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          var added: [String] = []
          for number in 0..<50 {
            if task * 50 + number == closing { await keys.close() }
            let value = "\(task).\(number)"
            if (try? await keys.add(APIKey(value, acl: []))) != nil { added.append(value) }
          }
          return added
        }
      }
      return await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    expectEqual(calls.withLock { $0.most }, 1)
    // What was acknowledged is there, and nothing else.
    expectEqual(Set(keys.all.map(\.value)), added)
  }

  /// A change that cannot be stored is an error, and changes nothing.
  @Test func keysThatAreNotStoredAreNotChanged() async throws {
    struct Full: Error {}
    let isFull = Lock(true)
    let stored = Lock<[String]>([])
    let fixture = try ServiceFixture(
      keys: [APIKey("old", acl: [])],
      onChange: { changes in
        if isFull.withLock({ $0 }) { throw Full() }
        stored.withLock { $0 += changes.map(Self.value) }
      })
    let keys = fixture.service.keys
    let error = await #expect(throws: SearchError.self) {
      try await keys.add(APIKey("k", acl: []))
    }
    #expect(error?.code == .storage && error?.underlying == "Full()")
    for (method, path) in [("POST", "/1/keys"), ("DELETE", "/1/keys/old")] {
      let answer = try await fixture.call(method, path, ["acl": []])
      expectEqual(answer.status, 503)
      expectEqual(answer.body["message"], "The service could not store the change")
    }
    expectEqual(keys.all.map(\.value), ["old"])
    isFull.withLock { $0 = false }
    try await keys.add(APIKey("l", acl: []))
    expectEqual(stored.withLock { $0 }, ["l"])
    expectEqual(keys.all.map(\.value), ["old", "l"])
  }

  /// Changes that are stored together fail together, also one that would have changed nothing.
  @Test func changesStoredTogetherFailTogether() async throws {
    struct Full: Error {}
    let (entered, entry) = AsyncStream<Void>.makeStream()
    let (opened, opening) = AsyncStream<Void>.makeStream()
    let isFull = Lock(false)
    let fixture = try ServiceFixture(
      keys: [APIKey("old", acl: [])],
      onChange: { _ in
        entry.yield()
        for await _ in opened {}
        if isFull.withLock({ $0 }) { throw Full() }
        isFull.withLock { $0 = true }
      })
    let keys = fixture.service.keys
    async let first: Void = keys.add(APIKey("k", acl: []))
    for await _ in entered { break }
    // The second one finds no key after the first one.
    async let one = fixture.call("DELETE", "/1/keys/old", [:])
    async let other = fixture.call("DELETE", "/1/keys/old", [:])
    while keys.waitingCount < 2 { await Task.yield() }
    opening.finish()
    try await first
    try await expectEqual([one.status, other.status], [503, 503])
    expectEqual(keys.all.map(\.value), ["old", "k"])
  }

  /// A call that is cancelled leaves, and its key is stored nevertheless.
  @Test func cancellationDoesNotEndStoring() async throws {
    let (entered, entry) = AsyncStream<Void>.makeStream()
    let (opened, opening) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<[String]>.makeStream()
    let keys = try ServiceKeys(adminKey: "a") { changes in
      entry.yield()
      for await _ in opened {}
      end.yield(Task.isCancelled ? [] : changes.map(Self.value))
    }
    let first = Task { try await keys.add(APIKey("k", acl: [])) }
    for await _ in entered { break }
    first.cancel()
    await #expect(throws: SearchError.self) { try await first.value }
    #expect(keys.all.isEmpty)
    opening.finish()
    for await stored in ended {
      expectEqual(stored, ["k"])
      break
    }
    try await keys.add(APIKey("l", acl: []))
    expectEqual(keys.all.map(\.value), ["k", "l"])
  }

  /// A call ends with its time although the keys are still being stored.
  @Test func callsAboutKeysEndWithTheirTime() async throws {
    let clock = ManualClock()
    let (opened, opening) = AsyncStream<Void>.makeStream()
    let fixture = try ServiceFixture(
      configure: { $0.clock = clock },
      onChange: { _ in
        for await _ in opened {}
      })
    async let answer = fixture.respond("POST", "/1/keys", ["acl": []])
    await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    await expectEqual(answer.status, 504)
    opening.finish()
  }

  /// The file must not be that of another service while changes are stored.
  @Test func closingWaitsInACancelledTask() async throws {
    let (entered, entry) = AsyncStream<Void>.makeStream()
    let (opened, opening) = AsyncStream<Void>.makeStream()
    let isStored = Lock(false)
    let keys = try ServiceKeys(adminKey: "a") { _ in
      entry.yield()
      for await _ in opened {}
      isStored.withLock { $0 = true }
    }
    async let added: Void = keys.add(APIKey("k", acl: []))
    for await _ in entered { break }
    let closing = Task {
      await keys.close()
      return isStored.withLock { $0 }
    }
    closing.cancel()
    for _ in 0..<20 { await Task.yield() }
    opening.finish()
    await #expect(closing.value)
    try await added
  }

  /// What a key was before it was deleted does not come back over one that was added after it.
  @Test func aKeyThatIsThereIsNotRestored() async throws {
    let disk = SimulatedDisk()
    let fixture = try ServiceFixture(storedKeys: Self.keys(disk))
    let keys = fixture.service.keys
    try await keys.add(APIKey("k", acl: [.search, .addObject]))
    try await expectEqual(fixture.call("DELETE", "/1/keys/k").status, 200)
    try await keys.add(APIKey("k", acl: [.search]))
    try await expectEqual(fixture.call("POST", "/1/keys/k/restore").status, 404)
    expectEqual(keys.all, [APIKey("k", acl: [.search])])
    try expectEqual(Self.keys(disk.afterExit()).all, keys.all)
  }

  // MARK: A file

  private static func keys(_ disk: SimulatedDisk) throws -> ServiceKeys {
    try ServiceKeys(adminKey: ServiceFixture.adminKey, file: "/keys", disk: disk)
  }

  /// The lines of the file.
  private static func lines(_ disk: SimulatedDisk) -> [String] {
    String(decoding: disk["/keys"] ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func changesAreLinesOfTheFile() async throws {
    let disk = SimulatedDisk()
    let fixture = try ServiceFixture(storedKeys: Self.keys(disk))
    try await fixture.service.keys.add(APIKey("k", acl: [.search], createdAt: 1))
    try await fixture.service.keys.add(APIKey("l", acl: []))
    try await expectEqual(fixture.call("DELETE", "/1/keys/k").status, 200)
    expectEqual(
      Self.lines(disk),
      [
        #"{"saved":{"value":"k","createdAt":1,"acl":["search"],"validity":0}}"#,
        #"{"saved":{"value":"l","createdAt":0,"acl":[],"validity":0}}"#, #"{"deleted":"k"}"#,
      ])
    // A deleted key can be restored after the next start.
    let next = try ServiceFixture(storedKeys: Self.keys(disk.afterExit()))
    expectEqual(next.service.keys.all.map(\.value), ["l"])
    try await expectEqual(next.call("POST", "/1/keys/k/restore").status, 200)
    expectEqual(next.service.keys.all.map(\.value), ["l", "k"])
  }

  @Test(arguments: [#"{"saved":{"game":"level 3"}}"#, #"{"deleted":1}"#, #"{"saved":1} "#])
  func aWholeLineThatIsNoChangeIsNotTakenForAnInterruptedOne(line: String) throws {
    let disk = SimulatedDisk()
    disk["/keys"] = Array(line.utf8)
    let error = #expect(throws: SearchError.self) { try Self.keys(disk) }
    expectEqual(error?.code, .invalidRequest)
    expectEqual(disk["/keys"], Array(line.utf8))
  }

  /// It is removed with the first change.
  @Test func anInterruptedLineIsNotRemovedByReading() async throws {
    for rest in ["{", #"{"saved":{"val"#, "\0\0\0"] {
      let disk = SimulatedDisk()
      let line = #"{"saved":{"value":"k","createdAt":1,"acl":[]}}"# + "\n"
      disk["/keys"] = Array((line + rest).utf8)
      let keys = try Self.keys(disk)
      expectEqual(keys.all.map(\.value), ["k"])
      expectEqual(disk["/keys"], Array((line + rest).utf8))
      try await keys.add(APIKey("l", acl: []))
      expectEqual(Self.lines(disk).count, 2)
      try expectEqual(Self.keys(disk.afterExit()).all.map(\.value), ["k", "l"])
    }
  }

  /// Changes that take several sectors, any of which can be missing after a power failure.
  @Test(arguments: Seed.all(500)) func aPowerFailureLeavesTheChangesThatReturned(
    seed: Seed
  ) async throws {
    var generator = SeededGenerator(seed: seed.value)
    let disk = SimulatedDisk(seed: seed.value)
    let keys = try Self.keys(disk)
    var names: [String] = []
    for number in 0..<4 {
      let name =
        "\(number)" + String(repeating: "k", count: Int.random(in: 0...2_000, using: &generator))
      if number == 3 {
        // It is written, and the process ends before it is synchronized.
        disk.fail(call: disk.callCount + Int.random(in: 1...3, using: &generator), with: .crash)
        _ = try? await keys.add(APIKey(name, acl: [.search]))
      } else {
        try await keys.add(APIKey(name, acl: [.search]))
        names.append(name)
      }
    }
    let left = try Self.keys(disk.afterPowerFailure(seed: seed.value)).all.map(\.value)
    #expect(left.starts(with: names) && left.count <= 4)
  }

  /// Changes of one write are there together, or not at all.
  @Test(arguments: Seed.all(500, quick: 50)) func aPowerFailureKeepsChangesTogether(
    seed: Seed
  ) async throws {
    let disk = SimulatedDisk(seed: seed.value)
    let keys = try Self.keys(disk)
    try await keys.add(APIKey("first", acl: []))
    disk.fail(call: disk.callCount + 2 + Int(seed.value % 2), with: .crash)
    await withTaskGroup { group in
      for number in 0..<30 {
        group.addTask { _ = try? await keys.add(APIKey("key \(number)", acl: [.search])) }
      }
    }
    let left = try Self.keys(disk.afterPowerFailure(seed: seed.value)).all.map(\.value)
    expectEqual(left.first, "first")
  }

  /// What an interrupted write has left is removed before the next one, for good.
  @Test(arguments: Seed.all(400, quick: 40)) func theRestOfAnInterruptedLineStaysRemoved(
    seed: Seed
  ) async throws {
    let disk = SimulatedDisk(seed: seed.value)
    let line = #"{"saved":{"value":"k","createdAt":1,"acl":[]}}"# + "\n"
    let rest = "{\"saved\":{\"value\":\"" + String(repeating: "c", count: 5000)
    disk["/keys"] = Array((line + rest).utf8)
    let keys = try Self.keys(disk)
    disk.fail(call: disk.callCount + 1 + Int(seed.value % 5), with: .crash)
    _ = try? await keys.add(APIKey("l", acl: []))
    let left = try Self.keys(disk.afterPowerFailure(seed: seed.value)).all.map(\.value)
    #expect([["k"], ["k", "l"]].contains(left), "\(left)")
  }

  /// A file that is as long as it can be is written anew, or the change is refused.
  @Test func aFileStaysShortEnoughToBeOpened() async throws {
    let disk = SimulatedDisk()
    func open() throws -> ServiceKeys {
      try ServiceKeys(
        adminKey: ServiceFixture.adminKey, file: "/keys", disk: disk.afterExit(),
        maximumLength: 2_000)
    }
    let keys = try ServiceKeys(
      adminKey: ServiceFixture.adminKey, file: "/keys", disk: disk, maximumLength: 2_000)
    for number in 0..<50 {
      try await keys.add(APIKey("k", acl: [], note: "\(number)"))
    }
    try expectEqual(open().all.map(\.note), ["49"])
    var expected = ["k"]
    var failure: SearchError?
    for number in 0..<50 where failure == nil {
      do throws(SearchError) {
        try await keys.add(APIKey("\(number)", acl: []))
        expected.append("\(number)")
      } catch {
        failure = error
      }
    }
    #expect(failure?.underlying?.contains("has more than 2000 bytes") == true, "\(failure)")
    #expect(expected.count > 10)
    try expectEqual(open().all.map(\.value), expected)
    expectEqual(keys.all.map(\.value), expected)
  }

  @Test func aDeletedKeyCanBecomeTheAdminKey() throws {
    let disk = SimulatedDisk()
    let text = #"{"saved":{"value":"new","createdAt":1,"acl":[]}}"# + "\n"
    disk["/keys"] = Array((text + "{\"deleted\":\"new\"}\n").utf8)
    let keys = try ServiceKeys(adminKey: "new", file: "/keys", disk: disk)
    #expect(keys.all.isEmpty && keys.changes.isEmpty)
    disk["/keys"] = Array(text.utf8)
    #expect(throws: SearchError.self) {
      try ServiceKeys(adminKey: "new", file: "/keys", disk: disk.afterExit())
    }
  }

  /// Changes that were acknowledged after it are not lost.
  @Test func zerosBeforeAnIntactLineAreDamage() throws {
    let line = #"{"saved":{"value":"k","createdAt":1,"acl":[]}}"# + "\n"
    let disk = SimulatedDisk()
    let bytes = Array((line + "{\"saved\":\0\0\0\n" + line + "{\"sav\0").utf8)
    disk["/keys"] = bytes
    let error = #expect(throws: SearchError.self) { try Self.keys(disk) }
    #expect(error?.message.contains("line 2: ") == true, "\(error)")
    // Nor are those after a mistake of a person, before an interrupted line.
    let other = Array((line + "mistake\n" + line + "{\"sav\0").utf8)
    disk["/keys"] = other
    #expect(throws: SearchError.self) { try Self.keys(disk) }
    expectEqual(disk["/keys"], other)
  }

  @Test func anErrorCountsEmptyLines() throws {
    let disk = SimulatedDisk()
    disk["/keys"] = Array("\n\n{\"deleted\":\"k\"}\n\nother\n".utf8)
    let error = #expect(throws: SearchError.self) { try Self.keys(disk) }
    #expect(error?.message.contains("line 5: ") == true, "\(error)")
  }

  @Test func aFileThatCannotBeMadeShorterIsUsed() throws {
    let line = #"{"saved":{"value":"k","createdAt":1,"acl":[]}}"# + "\n"
    func disk(_ count: Int) -> SimulatedDisk {
      let disk = SimulatedDisk()
      disk["/keys"] = Array(String(repeating: line, count: count).utf8)
      return disk
    }
    let (short, long) = (disk(1), disk(1_003))
    for disk in [short, long] { _ = try Self.keys(disk) }
    #expect(long.callCount > short.callCount + 5)
    for call in short.callCount + 1...long.callCount {
      let disk = disk(1_003)
      disk.fail(call: call, with: .full)
      try expectEqual(Self.keys(disk).all.map(\.value), ["k"])
    }
  }

  /// The disk refuses to take it back at first.
  @Test func aRefusedKeyIsTakenBackWhenTheKeysAreClosed() async throws {
    let disk = SimulatedDisk()
    let keys = try Self.keys(disk)
    try await keys.add(APIKey("k", acl: []))
    for call in 2...3 { disk.fail(call: disk.callCount + call, with: .error) }
    await #expect(throws: (any Error).self) { try await keys.add(APIKey("l", acl: [])) }
    await keys.close()
    try expectEqual(Self.keys(disk).all.map(\.value), ["k"])
  }

  /// It is the line end that is written then.
  @Test func aLastLineWithoutAnEndNeedsNoNewFile() async throws {
    let line = #"{"saved":{"value":"k","createdAt":1,"acl":[]}}"#
    let whole = SimulatedDisk()
    whole["/keys"] = Array(line.utf8)
    _ = try Self.keys(whole)
    for call in 1...whole.callCount {
      let disk = SimulatedDisk()
      disk["/keys"] = Array(line.utf8)
      disk.fail(call: call, with: .error)
      guard let keys = try? Self.keys(disk) else { continue }
      try await keys.add(APIKey("l", acl: []))
      expectEqual(Self.lines(disk).count, 2, "\(call)")
      await keys.close()
      try expectEqual(Self.keys(disk).all.map(\.value), ["k", "l"])
    }
  }

  @Test func aFileThatWasReplacedIsNotWrittenAnyLonger() async throws {
    let disk = SimulatedDisk()
    let keys = try Self.keys(disk)
    try await keys.add(APIKey("k", acl: []))
    disk["/keys"] = Array((#"{"saved":{"value":"m","createdAt":1,"acl":[]}}"# + "\n").utf8)
    await #expect(throws: (any Error).self) { try await keys.add(APIKey("l", acl: [])) }
    try expectEqual(Self.keys(disk).all.map(\.value), ["m"])
  }

  @Test func anEmptyAdminKeyCreatesNoFile() {
    let disk = SimulatedDisk()
    #expect(throws: SearchError.self) { try ServiceKeys(adminKey: "", file: "/keys", disk: disk) }
    expectEqual(disk.paths, [])
  }

  @Test func aLineWhoseRemovalFailedIsRemovedBeforeTheNextOne() async throws {
    let disk = SimulatedDisk()
    let keys = try Self.keys(disk)
    try await keys.add(APIKey("k", acl: []))
    // The line is written with an error, and cannot be removed.
    disk.fail(call: disk.callCount + 1, with: .lateError)
    disk.fail(call: disk.callCount + 2, with: .error)
    let name = String(repeating: "l", count: 100)
    await #expect(throws: (any Error).self) { try await keys.add(APIKey(name, acl: [])) }
    try await keys.add(APIKey("m", acl: []))
    try expectEqual(Self.keys(disk.afterExit()).all.map(\.value), ["k", "m"])
  }

  @Test func aLongFileIsWrittenAnew() throws {
    let disk = SimulatedDisk()
    let line = #"{"saved":{"value":"k","createdAt":1,"acl":[]}}"#
    disk["/keys"] = Array(String(repeating: line + "\n", count: 1_003).utf8)
    try expectEqual(Self.keys(disk).all.count, 1)
    expectEqual(Self.lines(disk.afterPowerFailure(seed: 1)).count, 1)
  }

  @Test func aLineThatIsCutOffWasNotAcknowledged() async throws {
    let disk = SimulatedDisk()
    try await Self.keys(disk).add(APIKey("k", acl: []))
    let next = disk.afterExit()
    next["/keys"] = (next["/keys"] ?? []) + Array(#"{"saved":{"val"#.utf8)
    let keys = try Self.keys(next)
    expectEqual(keys.all.map(\.value), ["k"])
    try await keys.add(APIKey("l", acl: []))
    try expectEqual(Self.keys(next.afterExit()).all.map(\.value), ["k", "l"])
  }

  /// What can be the beginning of a line that was cut off is none; a whole one is a change.
  @Test(arguments: [
    ("{", 1), ("{\"s", 1), ("{\"deleted\":\"", 1), ("{\"restored", 1), ("\0\0\0", 1),
    ("{\"sav\0\0", 1), ("{\"deleted\":\"k\"}", 0), ("{\"saved\":{\"value\":", 1),
    ("{\"saved\":{\"value\":\"l\",\"createdAt\":0,\"acl\":[]}}", 2),
  ])
  func theLastLineHasNoEnd(last: String, count: Int) async throws {
    let disk = SimulatedDisk()
    disk["/keys"] = Array(
      (#"{"saved":{"value":"k","createdAt":0,"acl":[]}}"# + "\n" + last).utf8)
    let keys = try Self.keys(disk)
    expectEqual(keys.all.count, count)
    try await keys.add(APIKey("m", acl: []))
    try expectEqual(Self.keys(disk.afterExit()).all, keys.all)
    expectEqual(keys.all.count, count + 1)
  }

  @Test func keysAreSavedToAnotherFile() async throws {
    let disk = SimulatedDisk()
    let fixture = try ServiceFixture(storedKeys: Self.keys(disk))
    let keys = fixture.service.keys
    try await keys.add(APIKey("k", acl: [.search]))
    try await keys.add(APIKey("l", acl: []))
    try await expectEqual(fixture.call("DELETE", "/1/keys/l").status, 200)
    func copied(_ disk: SimulatedDisk) throws -> ServiceKeys {
      try ServiceKeys(adminKey: ServiceFixture.adminKey, file: "/copy", disk: disk)
    }
    for _ in 0..<2 {
      try await keys.save(to: "/copy", disk: disk)
      try expectEqual(copied(disk.afterPowerFailure(seed: 1)).changes, keys.changes)
    }
    // A file in use, and one with something else.
    let own = await #expect(throws: SearchError.self) {
      try await keys.save(to: "/keys", disk: disk)
    }
    expectEqual(own?.code, .storage)
    disk["/copy"] = Array("text".utf8)
    let other = await #expect(throws: SearchError.self) {
      try await keys.save(to: "/copy", disk: disk)
    }
    expectEqual(other?.code, .invalidRequest)
    expectEqual(disk["/copy"], Array("text".utf8))
  }

  /// Whatever fails: the file has the older keys or the new ones, and is not there without any.
  @Test func aFileThatCannotBeSavedStays() async throws {
    let old = try ServiceKeys(adminKey: "a", changes: [.saved(APIKey("k", acl: []))])
    let new = try ServiceKeys(adminKey: "a", changes: [.saved(APIKey("l", acl: []))])
    for isNew in [false, true] {
      for fault in SimulatedDisk.Fault.allCases {
        for call in 1...30 {
          let disk = SimulatedDisk()
          if !isNew { try await old.save(to: "/copy", disk: disk) }
          disk.fail(call: disk.callCount + call, with: fault)
          let isSaved: Bool
          do throws(SearchError) {
            try await new.save(to: "/copy", disk: disk)
            isSaved = true
          } catch {
            isSaved = false
          }
          let next = disk.afterExit()
          #expect(fault == .crash || next["/copy.rewriting"] == nil, "\(fault) \(call)")
          guard next["/copy"] != nil else {
            #expect(isNew && !isSaved)
            continue
          }
          let found = try ServiceKeys(adminKey: "a", file: "/copy", disk: next).all.map(\.value)
          // A lock that is taken in spite of its error, which no system does.
          let isLocked = fault == .lateError && call == 3
          let isEmpty = isNew && found.isEmpty && (fault == .crash || isLocked)
          #expect(
            found == ["l"] || !isSaved && (isEmpty || !isNew && found == ["k"]),
            "\(fault) \(call) \(found)")
        }
      }
    }
  }

  @Test(arguments: [
    ("[1]", "line 1: "), ("{\n", "line 1: "), ("{}\n", "line 1: Expected an object"),
    ("{\"deleted\":\"k\"}\n\n{\"saved\":{}}\n", "line 3: A key needs"),
    ("{\"other\":\"k\"}\n", "line 1: Expected a member"),
    ("other", "line 1: "), ("{\"deleted\":\"k\"}\nother", "line 2: "),
    ("{\"other\"", "line 1: "), ("[{\"deleted\":\"k\"},1]\n", "line 1: Expected an object"),
    // A mistake before the end of the last line is no interruption.
    (#"{"saved":{"value":"X" "createdAt":0}}"#, "line 1: "),
    ("{\"deleted\":\"k\"}\n{\"deleted\":X}", "line 2: "),
    ("{\"deleted\":\"k\"}\u{B}", "line 1: "),
    (
      "\n{\"saved\":{\"value\":\"\",\"createdAt\":1,\"acl\":[]}}\n",
      "line 2: The value of the key is empty"
    ),
  ])
  func theErrorOfAFileNamesTheLine(contents: String, message: String) throws {
    let disk = SimulatedDisk()
    disk["/keys"] = Array(contents.utf8)
    let error = #expect(throws: SearchError.self) { try Self.keys(disk) }
    expectEqual(error?.code, .invalidRequest)
    #expect(error?.message.contains("The file of keys /keys: \(message)") == true, "\(error)")
    expectEqual(disk["/keys"], Array(contents.utf8))
  }

  @Test func aFileBelongsToOneService() async throws {
    let disk = SimulatedDisk()
    let keys = try Self.keys(disk)
    let error = #expect(throws: SearchError.self) { try Self.keys(disk) }
    #expect(error?.code == .storage && error?.message.contains("in use") == true)
    async let added: Void = keys.add(APIKey("k", acl: []))
    try await added
    await keys.close()
    let next = try Self.keys(disk)
    expectEqual(next.all, keys.all)
    let late = await #expect(throws: SearchError.self) {
      try await keys.add(APIKey("l", acl: []))
    }
    #expect(late?.code == .storage)
    await keys.close()
    try await next.add(APIKey("l", acl: []))
  }

  /// What the next start could not read is refused.
  @Test(arguments: [
    APIKey("k", acl: ["serch"]), APIKey("k", acl: [], maxHitsPerQuery: -1),
    APIKey("k", acl: [], validity: -1), APIKey("k", acl: [], indexes: [""]),
    APIKey("k", acl: [], validity: 60), APIKey("", acl: []),
    APIKey("k", acl: [], note: String(repeating: "a", count: 20_000)),
    APIKey("k", acl: [], indexes: Array(repeating: "a", count: 1_001)),
    APIKey("k", acl: [], queryParameters: "filterz=a"),
  ])
  func keysThatCannotBeReadAreRefused(key: APIKey) async throws {
    let disk = SimulatedDisk()
    let keys = try Self.keys(disk)
    let error = await #expect(throws: SearchError.self) { try await keys.add(key) }
    expectEqual(error?.code, .invalidRequest)
    #expect(Self.lines(disk).isEmpty && keys.all.isEmpty)
  }

  /// Whatever fails, and whenever the power does: each acknowledged change is there. One that was
  /// refused can be there after a power failure, because a disk that failed to write may have it.
  @Test(arguments: Seed.all(2_000, quick: 200))
  func acknowledgedChangesSurvive(seed: Seed) async throws {
    var generator = SeededGenerator(seed: seed.value)
    var disk = SimulatedDisk(seed: seed.value)
    var expected: [String] = []
    var refused: Set<String> = []
    func failSoon(_ range: ClosedRange<Int>) {
      guard Int.random(in: 0..<3, using: &generator) == 0,
        let fault = SimulatedDisk.Fault.allCases.randomElement(using: &generator)
      else { return }
      disk.fail(call: disk.callCount + .random(in: range, using: &generator), with: fault)
    }
    for _ in 0..<6 {
      failSoon(1...12)
      if let keys = try? Self.keys(disk) {
        let values = keys.all.map(\.value)
        #expect(
          values.filter(expected.contains) == expected
            && values.allSatisfy { expected.contains($0) || refused.contains($0) },
          "\(values) for \(expected) and \(refused)")
        expected = values
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
          failSoon(1...4)
          let value = "k\(Int.random(in: 0..<6, using: &generator))"
          do throws(SearchError) {
            try await keys.add(APIKey(value, acl: []))
            if !expected.contains(value) { expected.append(value) }
          } catch {
            expectEqual(error.code, .storage)
            if !expected.contains(value) { refused.insert(value) }
          }
          expectEqual(keys.all.map(\.value), expected)
        }
      }
      disk =
        Bool.random(using: &generator)
        ? disk.afterExit() : disk.afterPowerFailure(seed: generator.next())
    }
  }
}
