/// The caller of a request, with its permissions.
enum Caller: Sendable {
  case admin
  case limited(KeyLimits)

  /// The limits of the key; `nil` for the admin key.
  var limits: KeyLimits? {
    if case .limited(let limits) = self { limits } else { nil }
  }

  /// The rights of the caller, for the back end.
  func rights(for endpoint: Endpoint) -> CallRights {
    var rights = CallRights()
    rights.seesUnretrievableAttributes =
      limits?.acl.contains(.seeUnretrievableAttributes) ?? true
    rights.seesAllRecords = limits?.seesAllRecords ?? true
    rights.readsSettings = limits?.readsSettings ?? true
    if case .browse = endpoint { rights.family = limits?.value ?? "" }
    return rights
  }
}

/// Finds the key of a request, and checks the limits that do not depend on the call.
struct Authorization: Sendable {
  let keys: ServiceKeys
  let applicationID: String?
  /// The seconds since 1970.
  let now: @Sendable () -> Int
  private let queriesPerAddress: Int?
  private let counter = RequestCounter()
  /// Counts the work of searching for the parents of unknown secured keys.
  private let unknownKeys = RequestCounter()
  private let securedKeys = SecuredKeyCache()

  init(
    keys: ServiceKeys, applicationID: String?, queriesPerAddress: Int?,
    now: @escaping @Sendable () -> Int
  ) {
    self.keys = keys
    self.applicationID = applicationID
    self.queriesPerAddress = queriesPerAddress
    self.now = now
  }

  /// Returns the caller of a request.
  ///
  /// - Parameter address: The address of the client, whose unknown secured keys are counted.
  /// - Throws: Status 403 for unknown credentials, and 400 for an expired secured key.
  func caller(_ credentials: Credentials, from address: String?) throws(ServiceError) -> Caller {
    guard let text = credentials.key, !text.isEmpty, text.utf8.count <= Self.maximumKeyLength,
      credentials.applicationID != nil || applicationID == nil,
      applicationID == nil || credentials.applicationID == applicationID
    else { throw .invalidCredentials }
    if keys.isAdmin(text) { return .admin }
    if let entry = keys.entry(text) {
      guard entry.limits.validUntil.map({ now() < $0 }) ?? true else { throw .invalidCredentials }
      return .limited(entry.limits)
    }
    return try securedCaller(text, from: address)
  }

  private static let maximumKeyLength = 4_096
  /// The number of hash blocks that secured keys without a parent may cost in an hour, for each
  /// address. A service has up to 5,000 keys, and each of them hashes the blocks.
  private static let maximumBlockCount = 2_000

  private func securedCaller(
    _ text: String, from address: String?
  ) throws(ServiceError) -> Caller {
    guard let key = try? SecuredAPIKey(inspecting: text) else { throw .invalidCredentials }
    // The key does not name its parent.
    let parent: ServiceKeys.Entry
    switch securedKeys.known(text, among: keys) {
    case .parent(let known): parent = known
    case .unknown: throw .invalidCredentials
    case nil:
      let bucket = address.map { RequestCounter.Bucket(address: IPNetwork.subscriber(of: $0)) }
      if let bucket {
        guard unknownKeys.isBelow(Self.maximumBlockCount, bucket, minute: now() / 60) else {
          throw .tooManyRequests
        }
      }
      guard let found = securedKeys.findParent(of: text, key, among: keys) else {
        if let bucket { unknownKeys.add(key.blockCount, to: bucket, minute: now() / 60) }
        throw .invalidCredentials
      }
      parent = found
    }
    guard parent.limits.validUntil.map({ now() < $0 }) ?? true else { throw .invalidCredentials }
    guard key.restrictions != SecuredAPIKey.Restrictions() else {
      throw ServiceError(403, "Invalid API key")
    }
    if let end = key.validUntil, now() > end { throw .expired }
    return .limited(try parent.limits.restricted(by: key.restrictions, in: text))
  }

  /// Checks the limits of a key that do not depend on the body: the source, the right, the index in
  /// the path, the referer and the number of requests, in this order.
  ///
  /// - Parameters:
  ///   - right: The right of the call; `nil` if its body decides.
  ///   - concernsAllIndices: Whether the call reads or changes what all indices have.
  func check(
    _ caller: Caller, needs right: NeededRight?, indices: [String], concernsAllIndices: Bool,
    referer: String?, address: String?
  ) throws(ServiceError) {
    guard let limits = caller.limits else { return }
    guard limits.allows(source: address) else { throw .sourceNotAllowed }
    try check(limits, needs: right, indices: indices)
    guard !concernsAllIndices || limits.indexes.isEmpty else { throw .indexNotAllowed }
    guard limits.allows(referer: referer) else { throw .refererNotAllowed }
    try count(1, limits, address: address)
  }

  /// Counts queries in the limits of the key and of the address.
  ///
  /// - Throws: Status 429 if one of them is exceeded.
  func count(_ number: Int, _ limits: KeyLimits, address: String?) throws(ServiceError) {
    var buckets: [(bucket: RequestCounter.Bucket, limit: Int)] = []
    if limits.maxQueriesPerIPPerHour > 0 {
      // The address always counts, regardless of the secured key, because holders of the key can
      // derive more keys.
      let limit = limits.maxQueriesPerIPPerHour
      buckets.append((.init(key: limits.value, address: address ?? ""), limit))
      if let userToken = limits.forced.query.userToken {
        buckets.append((.init(key: limits.value, userToken: userToken), limit))
      }
    }
    if let queriesPerAddress, let address {
      buckets.append((.init(address: IPNetwork.subscriber(of: address)), queriesPerAddress))
    }
    guard buckets.isEmpty || counter.count(number, in: buckets, minute: now() / 60) else {
      throw .tooManyRequests
    }
  }

  /// Checks the right and the indices of a call.
  func check(
    _ limits: KeyLimits, needs right: NeededRight?, indices: [String]
  ) throws(ServiceError) {
    guard right?.isGranted(by: limits.acl) ?? true else { throw .methodNotAllowed }
    // Existing and missing indices are rejected alike.
    guard indices.allSatisfy(limits.allows(index:)) else { throw .indexNotAllowed }
  }
}

/// Caches the parents of secured keys, because finding a parent takes an HMAC for each key of the
/// service, and the keys without a parent.
private final class SecuredKeyCache: Sendable {
  private struct State {
    var parents: [String: String] = [:]
    /// The secured keys without a parent, for the keys of ``version``.
    var unknown: Set<String> = []
    var version = -1
  }

  private let state = Lock(State())
  private static let maximumCount = 10_000

  /// The cached result for a secured key.
  enum Knowledge {
    case parent(ServiceKeys.Entry)
    /// No key of the service is its parent.
    case unknown
  }

  /// Returns the result of an earlier search; `nil` without one.
  func known(_ text: String, among keys: ServiceKeys) -> Knowledge? {
    let version = keys.version
    let (parent, isUnknown) = state.withLock { state in
      if state.version != version {
        state.unknown = []
        state.version = version
      }
      return (state.parents[text], state.unknown.contains(text))
    }
    // The parent may have been deleted since.
    if let parent { return keys.entry(parent).map(Knowledge.parent) ?? .unknown }
    return isUnknown ? .unknown : nil
  }

  /// Searches for the key from which a secured key is derived; `nil` if no key matches.
  func findParent(
    of text: String, _ key: SecuredAPIKey, among keys: ServiceKeys
  ) -> ServiceKeys.Entry? {
    let version = keys.version
    // A secured key cannot be a parent, because only the keys of the service can.
    let parent = keys.entries.first { !Task.isCancelled && key.isDerived(from: $0.signing) }
    if Task.isCancelled { return parent }
    state.withLock { state in
      if let parent {
        if state.parents.count >= Self.maximumCount { state.parents = [:] }
        state.parents[text] = parent.key.value
      } else if state.version == version {
        if state.unknown.count >= Self.maximumCount { state.unknown = [] }
        state.unknown.insert(text)
      }
    }
    return parent
  }
}
