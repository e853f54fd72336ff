import InstantSearchAPI
import TestSupport
import Testing

/// The newest connection of an owner to a source.
struct LinkTests {
  // MARK: - Connecting

  @Test func theSameSourceGetsTheSameConnection() {
    let (owner, source) = (Owner(), Source())
    let first = owner.connect(source, "first")
    let second = owner.connect(source, "second")
    #expect(first.isNew && !first.replacesPrevious)
    #expect(!second.isNew && !second.replacesPrevious)
    #expect(second.connection === first.connection)
    expectEqual(second.content.name, "first", "no content is created")
    #expect(first.connection.isConnected)
    #expect(owner.log.entries.isEmpty)
  }

  @Test func anotherSourceEndsThePreviousConnection() {
    let owner = Owner()
    let sources = [Source(), Source()]
    let first = owner.connect(sources[0], "first")
    let second = owner.connect(sources[1], "second")
    #expect(second.isNew && second.replacesPrevious)
    #expect(second.connection !== first.connection)
    #expect(!first.connection.isConnected && second.connection.isConnected)
    expectEqual(owner.log.entries, ["ended first"])
    expectEqual(owner.content, "second")
    #expect(owner.connect(sources[0], "third").isNew, "only the newest source is connected")
  }

  @Test func thePreviousConnectionEndsWithTheEffect() {
    let owner = Owner()
    let sources = [Source(), Source()]
    let first = owner.connect(sources[0], "first")
    let second = owner.stageConnection(sources[1], "second")
    #expect(
      first.connection.isConnected && owner.log.entries.isEmpty, "nothing ends under the lock")
    second.effect()
    #expect(!first.connection.isConnected)
    expectEqual(owner.log.entries, ["ended first"])
  }

  /// A connection has ended before its owner handles that.
  @Test func connectionThatHasEndedIsNotReturned() {
    let source = Source()
    var link = Link<Source, Void>()
    let first = link.connect(to: source, content: {}) { _ in }
    first.connection.disconnect()
    let second = link.connect(to: source, content: {}) { _ in }
    #expect(second.isNew && second.connection !== first.connection)
    #expect(second.connection.isConnected)
    #expect(link.disconnect(first.connection) == nil)
    #expect(link.connection === second.connection)
  }

  @Test func readingAConnectionLeavesItAsItIs() {
    let ended = Lock(0)
    let connection = Connection { ended.withLock { $0 += 1 } }
    for _ in 0..<Thoroughness.count(10_000, thorough: 100_000) {
      #expect(connection.isConnected)
    }
    connection.disconnect()
    #expect(ended.withLock { $0 } == 1 && !connection.isConnected)
  }

  @Test func noSourceIsNeverTheSame() {
    let owner = Owner()
    let first = owner.connect(nil, "first")
    let second = owner.connect(nil, "second")
    #expect(second.isNew && second.replacesPrevious)
    #expect(!first.connection.isConnected && second.connection.isConnected)
    let source = Source()
    #expect(owner.connect(source, "third").isNew)
    #expect(owner.connect(nil, "fourth").isNew)
    expectEqual(owner.log.entries, ["ended first", "ended second", "ended third"])
  }

  /// The next object often gets the address of the one before.
  @Test func aSourceThatWasDeallocatedEqualsNoOther() {
    let owner = Owner()
    var addresses: Set<ObjectIdentifier> = []
    for round in 0..<100 {
      let source = Source()
      addresses.insert(ObjectIdentifier(source))
      #expect(owner.connect(source, "\(round)").isNew)
    }
    #expect(owner.source == nil, "the link does not retain its source")
    #expect(addresses.count < 100, "no address was used again, so the test shows nothing")
    #expect(owner.connection?.isConnected == true)
    expectEqual(owner.log.entries, (0..<99).map { "ended \($0)" })
  }

  // MARK: - Disconnecting

  @Test func disconnectingEndsTheNewestConnectionOnce() {
    let (owner, source) = (Owner(), Source())
    let first = owner.connect(source, "first").connection
    first.disconnect()
    first.disconnect()
    #expect(!first.isConnected)
    expectEqual(owner.log.entries, ["ended first"])
    #expect(owner.connection == nil && owner.content == nil && owner.source == nil)
    let second = owner.connect(source, "second")
    #expect(second.isNew && !second.replacesPrevious)
    #expect(second.connection !== first)
  }

  @Test func onlyTheNewestConnectionCanBeDisconnected() {
    let owner = Owner()
    let sources = [Source(), Source()]
    let first = owner.connect(sources[0], "first").connection
    let second = owner.stageConnection(sources[1], "second")
    first.disconnect()
    #expect(owner.log.entries.isEmpty, "the effect of the second ends the first")
    second.effect()
    first.disconnect()
    expectEqual(owner.log.entries, ["ended first"])
    #expect(owner.connection === second.connection && second.connection.isConnected)
  }

  /// Between the lock in which a source is connected and the next one, the connection may end.
  @Test func aConnectionThatEndedDuringConnectingHasNoContent() {
    let owner = Owner()
    let sources = [Source(), Source()]
    let first = owner.stageConnection(sources[0], "first")
    first.connection.disconnect()
    first.effect()
    owner.rename(first.connection, "late")
    #expect(owner.content == nil)
    let second = owner.connect(sources[1], "second")
    owner.rename(first.connection, "late")
    #expect(owner.name(of: first.connection) == nil)
    expectEqual(owner.content, "second")
    owner.rename(second.connection, "renamed")
    expectEqual(owner.name(of: second.connection), "renamed")
    #expect(owner.append("late", to: first.connection) == nil)
    expectEqual(owner.append(" again", to: second.connection), "renamed again")
    second.connection.disconnect()
    expectEqual(owner.log.entries, ["ended first", "ended renamed again"])
  }

  // MARK: - Objects under the lock

  /// The comparison loads the previous source, which another thread may release during it.
  @Test func thePreviousSourceIsReleasedAfterTheLock() {
    let owner = Owner()
    let other = Source()
    var previous: Source? = Source { owner.log.append("released") }
    if let previous { _ = owner.connect(previous, "first") }
    var outcome: TestLink.Outcome? = owner.stageConnection(other, "second") { previous = nil }
    #expect(previous == nil)
    owner.log.append("left the lock")
    outcome?.effect()
    outcome = nil
    expectEqual(owner.log.entries, ["left the lock", "ended first", "released"])
  }

  @Test(arguments: [true, false])
  func theContentIsReleasedAfterTheLock(isReplaced: Bool) {
    let owner = Owner()
    let sources = [Source(), Source()]
    let connection = owner.connect(
      sources[0], "first", object: Source { owner.log.append("released") }
    ).connection
    var effect: TestLink.Effect? =
      isReplaced
      ? owner.stageConnection(sources[1], "second").effect : owner.stageEnd(of: connection)
    owner.log.append("left the lock")
    effect?()
    effect = nil
    expectEqual(owner.log.entries, ["left the lock", "ended first", "released"])
  }

  // MARK: - Threads

  @Test func threadsThatConnectTheSameSourceShareTheConnection() async {
    for _ in 0..<Thoroughness.count(20, thorough: 200) {
      let (owner, source) = (Owner(), Source())
      let outcomes = await withTaskGroup { group in
        for task in 0..<4 { group.addTask { owner.connect(source, "\(task)") } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      expectEqual(outcomes.count(where: \.isNew), 1)
      #expect(outcomes.allSatisfy { $0.connection === owner.connection })
      #expect(owner.connection?.isConnected == true)
      #expect(owner.log.entries.isEmpty)
    }
  }

  @Test func oneOfTheSourcesThatThreadsConnectStays() async {
    for _ in 0..<Thoroughness.count(20, thorough: 200) {
      let owner = Owner()
      let sources = (0..<4).map { _ in Source() }
      let outcomes = await withTaskGroup { group in
        for (number, source) in sources.enumerated() {
          group.addTask { owner.connect(source, "\(number)") }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let connected = outcomes.filter(\.connection.isConnected)
      #expect(connected.count == 1 && connected.first?.connection === owner.connection)
      let ended = outcomes.filter { !$0.connection.isConnected }.map { "ended \($0.content.name)" }
      expectEqual(owner.log.entries.sorted(), ended.sorted(), "each of the others ends once")
    }
  }

  @Test func eachConnectionEndsOnceAmongThreadsThatConnectAndDisconnect() async {
    let owner = Owner()
    let sources = (0..<3).map { _ in Source() }
    let created = await withTaskGroup { group in
      for (number, source) in sources.enumerated() {
        group.addTask {
          (0..<Thoroughness.count(20, thorough: 200)).compactMap { round in
            let name = "\(number) \(round)"
            let outcome = owner.connect(source, name)
            if round.isMultiple(of: 3) { outcome.connection.disconnect() }
            return outcome.isNew ? name : nil
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    owner.connection?.disconnect()
    expectEqual(owner.log.entries.sorted(), created.map { "ended \($0)" }.sorted())
  }
}

private typealias TestLink = Link<Source, Content>

/// A source, or an object that a content retains.
private final class Source: Sendable {
  private let released: @Sendable () -> Void

  init(released: @escaping @Sendable () -> Void = {}) { self.released = released }

  deinit { released() }
}

private struct Content: Sendable {
  var name: String
  var object: Source?
}

/// An owner that guards its link with a lock, as the lists do.
private final class Owner: Sendable {
  let log = Log()
  private let link: Lock<TestLink>

  init() {
    link = Lock(Link { [log] in log.append("ended \($0.name)") })
  }

  var connection: Connection? { link.withLock { $0.connection } }
  var source: Source? { link.withLock { $0.source } }
  var content: String? { link.withLock { $0.content?.name } }

  func name(of connection: Connection) -> String? { link.withLock { $0[connection]?.name } }

  func rename(_ connection: Connection, _ name: String) {
    link.withLock { $0[connection]?.name = name }
  }

  func append(_ text: String, to connection: Connection) -> String? {
    link.withLock { link in
      link.update(connection) { content in
        content.name += text
        return content.name
      }
    }
  }

  func connect(_ source: Source?, _ name: String, object: Source? = nil) -> TestLink.Outcome {
    let outcome = stageConnection(source, name, object: object)
    outcome.effect()
    return outcome
  }

  /// Connects without performing the effect; `body` runs under the lock.
  func stageConnection(
    _ source: Source?, _ name: String, object: Source? = nil, _ body: () -> Void = {}
  ) -> TestLink.Outcome {
    link.withLock { link in
      link.connect(to: source) {
        body()
        return Content(name: name, object: object)
      } undo: { [weak self] in
        self?.stageEnd(of: $0)?()
      }
    }
  }

  /// Ends a connection without performing the effect.
  func stageEnd(of connection: Connection) -> TestLink.Effect? {
    link.withLock { $0.disconnect(connection) }
  }
}

private final class Log: Sendable {
  private let state = Lock<[String]>([])

  var entries: [String] { state.withLock { $0 } }

  func append(_ entry: String) { state.withLock { $0.append(entry) } }
}
