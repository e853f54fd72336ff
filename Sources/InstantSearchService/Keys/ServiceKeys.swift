/// The keys of a service: one for the administrator, and those that it made.
///
/// ```swift
/// let keys = try ServiceKeys(adminKey: secret) { store($0) }
/// try await keys.add(ServiceKey(ServiceKeys.randomKey(), acl: [.search]))
/// ```
///
/// Deleted keys can be restored while they are among the last 1,000. The plain keys are kept,
/// because secured keys are checked with them: store them where only the service can read them.
public final class ServiceKeys: Sendable {
  /// The keys of one moment.
  private struct Contents {
    var keys: [String: Entry] = [:]
    var order: [String] = []
    var deleted: [ServiceKey] = []
    /// Grows with each change.
    var version = 0

    /// All keys with their limits, in the order of their creation.
    var entries: [Entry] { order.compactMap { keys[$0] } }
    /// All keys, in the same order.
    var all: [ServiceKey] { entries.map(\.key) }

    /// Writes a key, unless there are too many.
    mutating func set(_ entry: Entry) throws(ServiceError) {
      guard keys[entry.key.value] != nil || keys.count < ServiceKeys.maximumCount else {
        throw ServiceError(403, "Too many keys: a service can have \(ServiceKeys.maximumCount)")
      }
      if keys.updateValue(entry, forKey: entry.key.value) == nil { order.append(entry.key.value) }
      version += 1
    }
  }

  /// A change of keys, which returns whether it applies.
  private typealias Change = @Sendable (inout Contents) throws(ServiceError) -> Bool

  private struct State {
    var contents = Contents()
    /// The changes that are not stored yet, with the calls that wait for them.
    var waiting: [(change: Change, waiter: Waiter<Bool>)] = []
    /// Whether a task stores changes. It continues until none waits.
    var isStoring = false
  }

  /// A key and its limits, read once.
  struct Entry: Sendable {
    let key: ServiceKey
    let limits: KeyLimits
    /// The key prepared for comparisons with secured keys.
    let signing: HMACSHA256

    init(_ key: ServiceKey) throws(ServiceError) {
      self.key = key
      limits = try KeyLimits(key)
      signing = HMACSHA256(key: Array(key.value.utf8))
    }
  }

  private let state: Lock<State>
  private let adminKey: String
  private let onChange: @Sendable ([ServiceKey]) async throws -> Void

  /// The number of keys of a service.
  ///
  /// Source: the limits of the hosted service.
  static let maximumCount = 5_000
  private static let maximumDeletedCount = 1_000

  /// Creates the keys of a service.
  ///
  /// - Parameters:
  ///   - adminKey: The key with all rights, which must not be empty.
  ///   - keys: The other keys.
  ///   - onChange: Stores all keys after a change: one call at a time, the newest state last. A
  ///     change is in effect, and its call succeeds, when it returns. If it throws, nothing has
  ///     changed, and the call is an error. It must not block its thread, and must not wait for a
  ///     change of keys, which would wait for it. Defaults to keeping the keys in memory only.
  /// - Throws: `invalidRequest` if the admin key is empty, or if a key has parameters that cannot
  ///   be forced.
  public init(
    adminKey: String, keys: [ServiceKey] = [],
    onChange: @escaping @Sendable ([ServiceKey]) async throws -> Void = { _ in }
  ) throws(SearchError) {
    guard !adminKey.isEmpty else { throw SearchError(.invalidRequest, "The admin key is empty.") }
    self.adminKey = adminKey
    self.onChange = onChange
    var contents = Contents()
    for key in keys {
      do throws(ServiceError) {
        try contents.set(Self.entry(key, adminKey))
      } catch {
        throw SearchError(.invalidRequest, "Key \(contents.order.count): \(error.message)")
      }
    }
    state = Lock(State(contents: contents))
  }

  /// All keys but the admin key, in the order of their creation.
  public var all: [ServiceKey] { state.withLock { $0.contents.all } }

  /// The number of changes so far.
  var version: Int { state.withLock { $0.contents.version } }

  /// Adds a key, or replaces the one with the same value, and returns when it is stored.
  ///
  /// - Throws: `invalidRequest` if the key has parameters that cannot be forced, or if there are
  ///   too many keys. `storage`, without changes, if the keys could not be stored, with the reason
  ///   as `underlying`. `cancelled` if the task is cancelled before; the key may be added later.
  public func add(_ key: ServiceKey) async throws(SearchError) {
    do {
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

  // MARK: The service's calls

  /// Whether a key is the admin key. The time it takes does not depend on where they differ.
  func isAdmin(_ key: String) -> Bool {
    // Digests have the same length.
    Secrecy.hasSameBytes(SHA256.digest(of: key.utf8), SHA256.digest(of: adminKey.utf8))
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
    _ key: ServiceKey, isUpdate: Bool = false, until deadline: Deadline? = nil
  ) async throws -> Bool {
    let entry = try Self.entry(key, adminKey)
    return try await change(until: deadline) { contents throws(ServiceError) in
      if isUpdate, contents.keys[key.value] == nil { return false }
      try contents.set(entry)
      return true
    }
  }

  /// Deletes a key, and returns whether it existed.
  func delete(_ value: String, until deadline: Deadline? = nil) async throws -> Bool {
    try await change(until: deadline) { contents in
      guard let entry = contents.keys.removeValue(forKey: value) else { return false }
      contents.order.removeAll { $0 == value }
      contents.deleted.append(entry.key)
      if contents.deleted.count > Self.maximumDeletedCount { contents.deleted.removeFirst() }
      contents.version += 1
      return true
    }
  }

  /// Restores a deleted key without an end of its validity, and returns whether there was one.
  func restore(_ value: String, until deadline: Deadline? = nil) async throws -> Bool {
    try await change(until: deadline) { contents throws(ServiceError) in
      guard let index = contents.deleted.lastIndex(where: { $0.value == value }) else {
        return false
      }
      var key = contents.deleted[index]
      key.validity = 0
      try contents.set(Entry(key))
      contents.deleted.remove(at: index)
      return true
    }
  }

  /// Makes a change, and returns when it is stored.
  ///
  /// - Throws: The error of the change; `SearchError` with code `storage`, without changes, if the
  ///   keys could not be stored; `timedOut` or `CancellationError` as soon as the deadline passes
  ///   or the task is cancelled, and the change may be made later.
  private func change(until deadline: Deadline?, _ change: @escaping Change) async throws -> Bool {
    let waiter = Waiter<Bool>()
    let starts = state.withLock { state in
      state.waiting.append((change, waiter))
      defer { state.isStoring = true }
      return !state.isStoring
    }
    // It belongs to all calls that wait, so it does not end with one of them.
    if starts { TaskBag.start { await self.store() } }
    return try await waiter.value(until: deadline)
  }

  /// Stores the changes that wait, all of a moment with one call, until none waits.
  private func store() async {
    while let (contents, waiting) = next() {
      var new = contents
      let outcomes = waiting.map { step in
        Result<Bool, any Error> { try step.change(&new) }
      }
      var failure: SearchError?
      if new.version != contents.version {
        do {
          try await onChange(new.all)
        } catch {
          failure = SearchError(
            .storage, "The keys could not be stored, so they were not changed.",
            underlying: "\(error)")
        }
      }
      if failure == nil {
        // No other code changes them.
        let stored = new
        state.withLock { $0.contents = stored }
      }
      // If they were not stored, what a change found can be wrong: those before it were not made.
      for (step, outcome) in zip(waiting, outcomes) {
        step.waiter.fulfill(with: failure.map { .failure($0) } ?? outcome)
      }
    }
  }

  /// The number of changes that wait for the storing of others.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Takes the changes that wait, or ends storing.
  private func next() -> (Contents, [(change: Change, waiter: Waiter<Bool>)])? {
    state.withLock { state in
      state.isStoring = !state.waiting.isEmpty
      defer { state.waiting = [] }
      return state.isStoring ? (state.contents, state.waiting) : nil
    }
  }

  private static func entry(
    _ key: ServiceKey, _ adminKey: String
  ) throws(ServiceError) -> Entry {
    guard !key.value.isEmpty, key.value != adminKey, key.value.utf8.count <= 4_096 else {
      throw ServiceError(400, "Its value is empty, too long, or the admin key")
    }
    return try Entry(key)
  }
}

extension ServiceKeys: CustomStringConvertible, CustomReflectable {
  /// The number of keys.
  public var description: String { "\(all.count) keys" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
