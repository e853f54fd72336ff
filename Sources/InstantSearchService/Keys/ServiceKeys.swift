/// The keys of a service: the admin key, and the keys that the administrator made.
///
/// ```swift
/// let keys = try ServiceKeys(adminKey: secret, file: "search.keys")
/// try await keys.add(APIKey(ServiceKeys.randomKey(), acl: [.search]))
/// ```
///
/// They are kept in memory, in a file, or wherever you store each change, such as in a database:
/// pass all changes again at the next start. Deleted keys can be restored while they are among the
/// last 1,000. The plain keys are stored, because secured keys are checked with them. Store them
/// where only the service can read them.
public final class ServiceKeys: Sendable {
  /// A step from one state of the keys to the next.
  private enum Step: Sendable {
    case save(Entry, onlyIfPresent: Bool)
    case delete(String)
    case restore(String)

    /// The change to store.
    var change: ServiceKeyChange {
      switch self {
      case .save(let entry, _): .saved(entry.key)
      case .delete(let value): .deleted(value)
      case .restore(let value): .restored(value)
      }
    }
  }

  /// A state of the keys.
  private struct Contents {
    private(set) var keys: [String: Entry] = [:]
    /// The keys in the order of their creation, with `nil` in the places of deleted ones, and the
    /// place of each.
    private var order: [String?] = []
    private var places: [String: Int] = [:]
    private(set) var deleted: [APIKey] = []
    /// Grows with each change.
    private(set) var version = 0

    /// All keys with their limits, in the order of their creation.
    var entries: [Entry] { order.compactMap { $0.flatMap { keys[$0] } } }
    /// All keys, in the same order.
    var all: [APIKey] { entries.map(\.key) }

    /// Makes a change, and returns whether it applies.
    mutating func apply(_ step: Step) throws(ServiceError) -> Bool {
      switch step {
      case .save(let entry, let onlyIfPresent):
        if onlyIfPresent, keys[entry.key.value] == nil { return false }
        try set(entry)
      case .delete(let value):
        guard let entry = keys.removeValue(forKey: value) else { return false }
        removePlace(of: value)
        deleted.append(entry.key)
        if deleted.count > ServiceKeys.maximumDeletedCount { deleted.removeFirst() }
      case .restore(let value):
        guard keys[value] == nil,
          let index = deleted.lastIndex(where: { $0.value == value })
        else { return false }
        var key = deleted[index]
        key.validity = 0
        try set(Entry(key))
        deleted.remove(at: index)
      }
      version += 1
      return true
    }

    private mutating func set(_ entry: Entry) throws(ServiceError) {
      guard keys[entry.key.value] != nil || keys.count < ServiceKeys.maximumCount else {
        throw ServiceError(403, "Too many keys: a service can have \(ServiceKeys.maximumCount)")
      }
      if keys.updateValue(entry, forKey: entry.key.value) == nil {
        places[entry.key.value] = order.count
        order.append(entry.key.value)
      }
    }

    private mutating func removePlace(of value: String) {
      if let place = places.removeValue(forKey: value) { order[place] = nil }
      guard order.count > 2 * places.count + 100 else { return }
      order.removeAll { $0 == nil }
      for (place, value) in order.enumerated() { if let value { places[value] = place } }
    }
  }

  private struct State {
    var contents = Contents()
    /// The keys after the changes that are being stored. Both are changed in place, because a copy
    /// for each change would take a time that grows with the number of keys.
    var next = Contents()
    /// The changes that are not stored yet, with the calls that wait for them.
    var waiting: [(step: Step, waiter: Waiter<Bool>)] = []
    /// Whether a task stores changes. It continues until no change is waiting.
    var isStoring = false
    /// Whether changes are no longer accepted, and the waiters for the end of the pending ones.
    var isClosed = false
    var closers: [Promise<Void>] = []
  }

  /// A key and its limits, read once.
  struct Entry: Sendable {
    let key: APIKey
    let limits: KeyLimits
    /// The key prepared for comparisons with secured keys.
    let signing: HMACSHA256

    init(_ key: APIKey) throws(ServiceError) {
      self.key = key
      limits = try KeyLimits(key)
      signing = HMACSHA256(key: Array(key.value.utf8))
    }
  }

  private let state: Lock<State>
  private let adminKey: String
  private let adminDigest: [UInt8]
  private let onChange: @Sendable ([ServiceKeyChange]) async throws -> Void
  private let onClose: @Sendable () -> Void

  /// The maximum number of keys of a service.
  ///
  /// Source: the limits of the hosted service.
  static let maximumCount = 5_000
  fileprivate static let maximumDeletedCount = 1_000

  /// Creates the keys of a service.
  ///
  /// - Parameters:
  ///   - adminKey: The key with all rights, which must not be empty.
  ///   - changes: The stored changes, in order; for keys of a list,
  ///     `list.map(ServiceKeyChange.saved)`.
  ///   - onChange: Stores changes after the previous ones, one call at a time. A change is in
  ///     effect, and its call succeeds, when it returns. If it throws, nothing has changed, and the
  ///     call is an error. It must not block its thread, and must not wait for a change of keys,
  ///     which would wait for it. Defaults to keeping the keys in memory only.
  /// - Throws: `invalidRequest` if the admin key is empty, or if a key has parameters that cannot
  ///   be forced.
  public convenience init(
    adminKey: String, changes: [ServiceKeyChange] = [],
    onChange: @escaping @Sendable ([ServiceKeyChange]) async throws -> Void = { _ in }
  ) throws(SearchError) {
    try self.init(adminKey: adminKey, changes: changes, onChange: onChange, onClose: {})
  }

  static func check(_ adminKey: String) throws(SearchError) {
    if adminKey.isEmpty { throw SearchError(.invalidRequest, "The admin key is empty.") }
  }

  init(
    adminKey: String, changes: [ServiceKeyChange],
    onChange: @escaping @Sendable ([ServiceKeyChange]) async throws -> Void,
    onClose: @escaping @Sendable () -> Void,
    place: (Int) -> String = { "Change \($0) of the keys" }
  ) throws(SearchError) {
    try Self.check(adminKey)
    self.adminKey = adminKey
    adminDigest = SHA256.digest(of: adminKey.utf8)
    self.onChange = onChange
    self.onClose = onClose
    var contents = Contents()
    // A key that was deleted may have become the admin key.
    let isAdminKeyDeleted = changes.last { $0.value == adminKey }?.isDeletion ?? false
    for (index, change) in changes.enumerated() {
      if isAdminKeyDeleted, change.value == adminKey { continue }
      do throws(ServiceError) {
        let step: Step =
          switch change {
          case .saved(let key): .save(try Self.entry(key, adminKey), onlyIfPresent: false)
          case .deleted(let value): .delete(value)
          case .restored(let value): .restore(value)
          }
        _ = try contents.apply(step)
      } catch {
        throw SearchError(.invalidRequest, "\(place(index)): \(error.message)")
      }
    }
    state = Lock(State(contents: contents, next: contents))
  }

  /// The shortest list of changes that leads to the same keys, including deleted keys that can be
  /// restored. Write it in place of the stored changes when their list has become long.
  public var changes: [ServiceKeyChange] {
    let contents = state.withLock { $0.contents }
    return contents.deleted.flatMap { [.saved($0), .deleted($0.value)] }
      + contents.all.map(ServiceKeyChange.saved)
  }

  /// All keys except the admin key, in the order of their creation.
  public var all: [APIKey] { state.withLock { $0.contents.all } }

  /// The number of changes so far.
  var version: Int { state.withLock { $0.contents.version } }

  /// Adds a key, or replaces the key with the same value, and returns when it is stored.
  ///
  /// - Throws: `invalidRequest` if the value is empty, too long or the admin key, if the service
  ///   would reject the key in a call, such as a key with an unknown right, if it has a validity
  ///   and no time of creation, or if there are too many keys. `storage`, without changes, if the
  ///   keys could not be stored, with the reason as `underlying`. `cancelled` if the task is
  ///   cancelled before; the key may be added later.
  public func add(_ key: APIKey) async throws(SearchError) {
    do {
      if key.validity > 0, key.createdAt <= 0 {
        throw ServiceError(400, "A key with a validity needs createdAt, from which it counts")
      }
      try await save(key)
    } catch let error as ServiceError {
      throw SearchError(.invalidRequest, error.message)
    } catch let error as SearchError {
      throw error
    } catch {
      throw SearchError(.cancelled, "The call was cancelled. The key may be added later.")
    }
  }

  /// Returns 32 random hexadecimal digits.
  public static func randomKey() -> String {
    Hexadecimal.random(byteCount: 16)
  }

  /// Waits for the changes that are being stored, even in a cancelled task, and lets another
  /// service use the file. Later changes are errors with code `storage`; the service still knows
  /// its keys.
  ///
  /// Call it before the same process opens the file again. A process that exits needs no call.
  public func close() async {
    let end = Promise<Void>()
    let isStoring = state.withLock { state in
      state.isClosed = true
      if state.isStoring { state.closers.append(end) }
      return state.isStoring
    }
    if isStoring { await end.outcome() }
    onClose()
  }

  // MARK: The service's calls

  /// Whether a key is the admin key. The time does not depend on where they differ.
  func isAdmin(_ key: String) -> Bool {
    // Digests have the same length.
    Secrecy.hasSameBytes(SHA256.digest(of: key.utf8), adminDigest)
  }

  /// The secret with which cursors are signed, the same for all services with the admin key.
  var cursorKey: [UInt8] { HMACSHA256.code(for: "cursor".utf8, key: Array(adminKey.utf8)) }

  /// The key with a value, or `nil`.
  func entry(_ value: String) -> Entry? { state.withLock { $0.contents.keys[value] } }

  /// All keys with their limits.
  var entries: [Entry] { state.withLock { $0.contents.entries } }

  /// Adds or replaces a key.
  ///
  /// - Parameters:
  ///   - isUpdate: Whether the key must exist. Defaults to `false`.
  ///   - deadline: The deadline of the call. Defaults to none.
  /// - Returns: Whether it was written.
  @discardableResult
  func save(
    _ key: APIKey, isUpdate: Bool = false, until deadline: Deadline? = nil
  ) async throws -> Bool {
    let entry = try Self.entry(key, adminKey)
    return try await make(.save(entry, onlyIfPresent: isUpdate), until: deadline)
  }

  /// Deletes a key, and returns whether it existed.
  func delete(_ value: String, until deadline: Deadline? = nil) async throws -> Bool {
    try await make(.delete(value), until: deadline)
  }

  /// Restores a deleted key with unlimited validity, and returns whether it existed.
  func restore(_ value: String, until deadline: Deadline? = nil) async throws -> Bool {
    try await make(.restore(value), until: deadline)
  }

  /// Makes a change, and returns when it is stored.
  ///
  /// - Throws: The error of the change; `SearchError` with code `storage`, without changes, if the
  ///   keys could not be stored; `timedOut` or `CancellationError` as soon as the deadline passes
  ///   or the task is cancelled, and the change may be made later.
  private func make(_ step: Step, until deadline: Deadline?) async throws -> Bool {
    let waiter = Waiter<Bool>()
    let starts: Bool? = state.withLock { state in
      if state.isClosed { return nil }
      state.waiting.append((step, waiter))
      defer { state.isStoring = true }
      return !state.isStoring
    }
    guard let starts else { throw SearchError(.storage, "The keys are closed.") }
    // The task works for all waiting calls, so it does not end with one of them.
    if starts { TaskBag.start { await self.store() } }
    return try await waiter.value(until: deadline)
  }

  /// Stores the waiting changes, all of them with one call, until no change is waiting.
  private func store() async {
    while let (steps, outcomes) = applyWaiting() {
      var failure: SearchError?
      let changes = steps.map(\.change)
      if !changes.isEmpty {
        do {
          try await onChange(changes)
        } catch {
          failure = SearchError(
            .storage, "The keys could not be stored, so they were not changed.",
            underlying: "\(error)")
        }
      }
      state.withLock { state in
        if failure != nil {
          state.next = state.contents
        } else {
          // The same steps lead to the same keys.
          for step in steps { _ = try? state.contents.apply(step) }
        }
      }
      // If storing failed, an outcome can be wrong, because the changes before it were not made.
      for (waiter, outcome) in outcomes {
        waiter.fulfill(with: failure.map { .failure($0) } ?? outcome)
      }
    }
    // Once the keys are closed, no other task begins.
    let closers = state.withLock { state in
      if state.isStoring { return [Promise<Void>]() }
      defer { state.closers = [] }
      return state.closers
    }
    for closer in closers { closer.fulfill(with: ()) }
  }

  /// Applies the waiting changes to the next keys, or ends storing.
  ///
  /// - Returns: The applied changes, and the outcome of each call.
  private func applyWaiting() -> (
    steps: [Step], outcomes: [(waiter: Waiter<Bool>, outcome: Result<Bool, any Error>)]
  )? {
    state.withLock { state in
      state.isStoring = !state.waiting.isEmpty
      guard state.isStoring else { return nil }
      defer { state.waiting = [] }
      var steps: [Step] = []
      let outcomes = state.waiting.map { step, waiter in
        let outcome = Result<Bool, any Error> { try state.next.apply(step) }
        if case .success(true) = outcome { steps.append(step) }
        return (waiter, outcome)
      }
      return (steps, outcomes)
    }
  }

  /// The number of changes that wait for the storing of others.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  private static func entry(
    _ key: APIKey, _ adminKey: String
  ) throws(ServiceError) -> Entry {
    if key.value.isEmpty { throw ServiceError(400, "The value of the key is empty") }
    if key.value == adminKey { throw ServiceError(400, "The key is the admin key") }
    if key.value.utf8.count > 4_096 {
      throw ServiceError(400, "The value of the key has more than 4,096 bytes")
    }
    // A stored key must be readable at the next start.
    try key.check()
    return try Entry(key)
  }
}

extension ServiceKeys: CustomStringConvertible, CustomReflectable {
  /// The number of keys.
  public var description: String { "\(all.count) keys" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
