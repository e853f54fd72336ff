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
  private struct State {
    var keys: [String: Entry] = [:]
    var order: [String] = []
    var deleted: [ServiceKey] = []
    /// Grows with each change.
    var version = 0
    /// The version that was stored.
    var storedVersion = 0
    /// The calls that wait until a version is stored, in the order of versions.
    var waiting: [(version: Int, waiter: Waiter<Void>)] = []
    /// Whether a task stores changes. It continues until no call waits.
    var isStoring = false

    /// All keys, in the order of their creation.
    var all: [ServiceKey] { order.compactMap { keys[$0]?.key } }

    /// Writes a key, unless there are too many.
    mutating func set(_ entry: Entry) throws(ServiceError) {
      guard keys[entry.key.value] != nil || keys.count < ServiceKeys.maximumCount else {
        throw ServiceError(403, "Too many keys: a service can have \(ServiceKeys.maximumCount)")
      }
      if keys.updateValue(entry, forKey: entry.key.value) == nil { order.append(entry.key.value) }
      version += 1
    }
  }

  /// A key and its limits, read once.
  struct Entry: Sendable {
    var key: ServiceKey
    var limits: KeyLimits
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
  ///   - onChange: Receives all keys after a change, to store them: one call at a time, the newest
  ///     state last. The call that made the change succeeds after it. If it throws, that call is an
  ///     error; the change is in effect, and is stored with the next one.
  /// - Throws: `invalidRequest` if the admin key is empty, or if a key has parameters that cannot
  ///   be forced.
  public init(
    adminKey: String, keys: [ServiceKey] = [],
    onChange: @escaping @Sendable ([ServiceKey]) async throws -> Void = { _ in }
  ) throws(SearchError) {
    guard !adminKey.isEmpty else { throw SearchError(.invalidRequest, "The admin key is empty.") }
    self.adminKey = adminKey
    self.onChange = onChange
    var state = State()
    for key in keys {
      do throws(ServiceError) {
        try state.set(Self.entry(key, adminKey))
      } catch {
        throw SearchError(.invalidRequest, "Key \(state.order.count): \(error.message)")
      }
    }
    self.state = Lock(state)
  }

  /// All keys but the admin key, in the order of their creation.
  public var all: [ServiceKey] { state.withLock { $0.all } }

  /// The number of changes so far.
  var version: Int { state.withLock { $0.version } }

  /// Adds a key, or replaces the one with the same value, and returns when it is stored.
  ///
  /// - Throws: `invalidRequest` if the key has parameters that cannot be forced, or if there are
  ///   too many keys. `storage` if the key is in effect and could not be stored, with the reason as
  ///   `underlying`. `cancelled` if the task is cancelled before the key is stored.
  public func add(_ key: ServiceKey) async throws(SearchError) {
    do {
      try await save(key)
    } catch let error as ServiceError {
      throw SearchError(.invalidRequest, error.message)
    } catch let error as SearchError {
      throw error
    } catch {
      throw SearchError(.cancelled, "The key is in effect, and may not be stored yet.")
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
  func entry(_ value: String) -> Entry? { state.withLock { $0.keys[value] } }

  /// All keys with their limits.
  var entries: [Entry] { state.withLock { state in state.order.compactMap { state.keys[$0] } } }

  /// Adds or replaces a key.
  ///
  /// - Parameter isUpdate: Whether the key must exist. Defaults to `false`.
  /// - Returns: Whether it was written.
  @discardableResult
  func save(_ key: ServiceKey, isUpdate: Bool = false) async throws -> Bool {
    let entry = try Self.entry(key, adminKey)
    return try await changing { state throws(ServiceError) in
      if isUpdate, state.keys[key.value] == nil { return false }
      try state.set(entry)
      return true
    }
  }

  /// Deletes a key, and returns whether it existed.
  func delete(_ value: String) async throws -> Bool {
    try await changing { state in
      guard let entry = state.keys.removeValue(forKey: value) else { return false }
      state.order.removeAll { $0 == value }
      state.deleted.append(entry.key)
      if state.deleted.count > Self.maximumDeletedCount { state.deleted.removeFirst() }
      state.version += 1
      return true
    }
  }

  /// Restores a deleted key without an end of its validity, and returns whether there was one.
  func restore(_ value: String) async throws -> Bool {
    try await changing { state throws(ServiceError) in
      guard let index = state.deleted.lastIndex(where: { $0.value == value }) else { return false }
      var key = state.deleted[index]
      key.validity = 0
      try state.set(Entry(key: key, limits: KeyLimits(key)))
      state.deleted.remove(at: index)
      return true
    }
  }

  /// Makes a change, and returns when all keys of this moment are stored.
  ///
  /// - Throws: The error of the change; `SearchError` with code `storage` if the keys could not be
  ///   stored; `CancellationError` as soon as the task is cancelled.
  private func changing(
    _ change: (inout State) throws(ServiceError) -> Bool
  ) async throws -> Bool {
    let isChanged = try state.withLock { state throws(ServiceError) in try change(&state) }
    let waiter = Waiter<Void>()
    let (waits, starts) = state.withLock { state in
      // A change that was not stored before is stored by the next call, whatever it changes.
      guard state.storedVersion < state.version else { return (false, false) }
      state.waiting.append((state.version, waiter))
      defer { state.isStoring = true }
      return (true, !state.isStoring)
    }
    // It belongs to all calls that wait, so it does not end with one of them.
    if starts { TaskBag.start { await self.store() } }
    if waits { try await waiter.value() }
    return isChanged
  }

  /// Stores the newest keys, one call at a time and without a lock, until no call waits.
  private func store() async {
    while let (keys, version) = state.withLock({ state -> ([ServiceKey], Int)? in
      state.isStoring = !state.waiting.isEmpty
      return state.isStoring ? (state.all, state.version) : nil
    }) {
      let outcome: Result<Void, any Error>
      do {
        try await onChange(keys)
        outcome = .success(())
      } catch {
        outcome = .failure(
          SearchError(
            .storage, "The keys are changed, and could not be stored.", underlying: "\(error)"))
      }
      let waiters = state.withLock { state in
        if case .success = outcome { state.storedVersion = version }
        let count = state.waiting.prefix { $0.version <= version }.count
        defer { state.waiting.removeFirst(count) }
        return state.waiting.prefix(count).map(\.waiter)
      }
      for waiter in waiters { waiter.fulfill(with: outcome) }
    }
  }

  private static func entry(
    _ key: ServiceKey, _ adminKey: String
  ) throws(ServiceError) -> Entry {
    guard !key.value.isEmpty, key.value != adminKey, key.value.utf8.count <= 4_096 else {
      throw ServiceError(400, "Its value is empty, too long, or the admin key")
    }
    return Entry(key: key, limits: try KeyLimits(key))
  }
}

extension ServiceKeys: CustomStringConvertible, CustomReflectable {
  /// The number of keys.
  public var description: String { "\(all.count) keys" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
