/// The keys of a service: one for the administrator, and those that it made.
///
/// ```swift
/// let keys = ServiceKeys(adminKey: secret) { save($0) }
/// keys.add(ServiceKey(ServiceKeys.randomKey(), acl: [.search]))
/// ```
///
/// Deleted keys can be restored while they are among the last 1,000. The plain keys are kept,
/// because secured keys are checked with them: store them where only the service can read them.
public final class ServiceKeys: Sendable {
  private struct State {
    var keys: [String: Entry] = [:]
    var order: [String] = []
    var deleted: [ServiceKey] = []
  }

  /// A key and its limits, read once.
  struct Entry: Sendable {
    var key: ServiceKey
    var limits: KeyLimits
  }

  private let state: Lock<State>
  private let adminKey: [UInt8]
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
  ///   - onChange: Receives all keys after each change, to store them. It runs before the call that
  ///     changes them returns.
  /// - Throws: `invalidRequest` if the admin key is empty, or if a key has parameters that cannot
  ///   be forced.
  public init(
    adminKey: String, keys: [ServiceKey] = [],
    onChange: @escaping @Sendable ([ServiceKey]) -> Void = { _ in }
  ) throws(SearchError) {
    guard !adminKey.isEmpty else { throw SearchError(.invalidRequest, "The admin key is empty.") }
    self.adminKey = Array(adminKey.utf8)
    self.onChange = onChange
    var state = State()
    for key in keys {
      do throws(ServiceError) {
        try Self.insert(key, into: &state, adminKey)
      } catch {
        throw SearchError(.invalidRequest, "Key \(state.order.count): \(error.message)")
      }
    }
    self.state = Lock(state)
  }

  /// All keys but the admin key, in the order of their creation.
  public var all: [ServiceKey] {
    state.withLock { state in state.order.compactMap { state.keys[$0]?.key } }
  }

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
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let text = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 8 - text.utf8.count) + text
    }.joined()
  }

  // MARK: The service's calls

  /// Whether a key is the admin key. The time it takes does not depend on where they differ.
  func isAdmin(_ key: String) -> Bool {
    // Digests have the same length.
    let (given, admin) = (SHA256.digest(of: key.utf8), SHA256.digest(of: adminKey))
    return zip(given, admin).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The key with a value, or `nil`.
  func entry(_ value: String) -> Entry? { state.withLock { $0.keys[value] } }

  /// All keys with their limits.
  var entries: [Entry] { state.withLock { state in state.order.compactMap { state.keys[$0] } } }

  /// Adds or replaces a key.
  func save(_ key: ServiceKey) throws(ServiceError) {
    let entry = Entry(key: key, limits: try KeyLimits(key))
    let isSaved = state.withLock { state in
      guard state.keys[key.value] != nil || state.keys.count < Self.maximumCount else {
        return false
      }
      if state.keys.updateValue(entry, forKey: key.value) == nil { state.order.append(key.value) }
      return true
    }
    guard isSaved else {
      throw ServiceError(403, "Too many keys: a service can have \(Self.maximumCount)")
    }
    onChange(all)
  }

  /// Deletes a key, and returns whether it existed.
  func delete(_ value: String) -> Bool {
    let isDeleted = state.withLock { state in
      guard let entry = state.keys.removeValue(forKey: value) else { return false }
      state.order.removeAll { $0 == value }
      state.deleted.append(entry.key)
      if state.deleted.count > Self.maximumDeletedCount { state.deleted.removeFirst() }
      return true
    }
    if isDeleted { onChange(all) }
    return isDeleted
  }

  /// Restores a deleted key without an end of its validity, and returns whether there was one.
  func restore(_ value: String) throws(ServiceError) -> Bool {
    let found = state.withLock { state -> ServiceKey? in
      guard let index = state.deleted.lastIndex(where: { $0.value == value }) else { return nil }
      return state.deleted.remove(at: index)
    }
    guard var key = found else { return false }
    key.validity = 0
    try save(key)
    return true
  }

  private static func insert(
    _ key: ServiceKey, into state: inout State, _ adminKey: String
  ) throws(ServiceError) {
    guard !key.value.isEmpty, key.value != adminKey else {
      throw ServiceError(400, "Its value is empty or the admin key")
    }
    let entry = Entry(key: key, limits: try KeyLimits(key))
    if state.keys.updateValue(entry, forKey: key.value) == nil { state.order.append(key.value) }
  }
}

extension ServiceKeys: CustomStringConvertible, CustomReflectable {
  /// The number of keys.
  public var description: String { "\(all.count) keys" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
