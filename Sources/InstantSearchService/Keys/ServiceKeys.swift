/// The keys of a service: one for the administrator, and those that it made.
///
/// ```swift
/// let keys = try ServiceKeys(adminKey: secret) { store($0) }
/// try keys.add(ServiceKey(ServiceKeys.randomKey(), acl: [.search]))
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
    /// Whether a call is reporting changes. It continues until it has reported the newest.
    var isReporting = false

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
  private let onChange: @Sendable ([ServiceKey]) -> Void

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
  ///     state last.
  /// - Throws: `invalidRequest` if the admin key is empty, or if a key has parameters that cannot
  ///   be forced.
  public init(
    adminKey: String, keys: [ServiceKey] = [],
    onChange: @escaping @Sendable ([ServiceKey]) -> Void = { _ in }
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

  /// Adds a key, or replaces the one with the same value.
  ///
  /// - Throws: `invalidRequest` if the key has parameters that cannot be forced, or if there are
  ///   too many keys.
  public func add(_ key: ServiceKey) throws(SearchError) {
    do throws(ServiceError) {
      try save(key)
    } catch {
      throw SearchError(.invalidRequest, error.message)
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
  func save(_ key: ServiceKey, isUpdate: Bool = false) throws(ServiceError) -> Bool {
    let entry = try Self.entry(key, adminKey)
    let isSaved = try state.withLock { state throws(ServiceError) in
      if isUpdate, state.keys[key.value] == nil { return false }
      try state.set(entry)
      return true
    }
    report()
    return isSaved
  }

  /// Deletes a key, and returns whether it existed.
  func delete(_ value: String) -> Bool {
    let isDeleted = state.withLock { state in
      guard let entry = state.keys.removeValue(forKey: value) else { return false }
      state.order.removeAll { $0 == value }
      state.deleted.append(entry.key)
      if state.deleted.count > Self.maximumDeletedCount { state.deleted.removeFirst() }
      state.version += 1
      return true
    }
    report()
    return isDeleted
  }

  /// Restores a deleted key without an end of its validity, and returns whether there was one.
  func restore(_ value: String) throws(ServiceError) -> Bool {
    let isRestored = try state.withLock { state throws(ServiceError) in
      guard let index = state.deleted.lastIndex(where: { $0.value == value }) else { return false }
      var key = state.deleted[index]
      key.validity = 0
      try state.set(Entry(key: key, limits: KeyLimits(key)))
      state.deleted.remove(at: index)
      return true
    }
    report()
    return isRestored
  }

  /// Reports the newest keys, one call at a time and without a lock.
  private func report() {
    var reported: Int?
    while true {
      let next = state.withLock { state -> (keys: [ServiceKey], version: Int)? in
        if reported == nil, state.isReporting { return nil }
        state.isReporting = reported != state.version
        return state.isReporting ? (state.all, state.version) : nil
      }
      guard let next else { return }
      onChange(next.keys)
      reported = next.version
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
