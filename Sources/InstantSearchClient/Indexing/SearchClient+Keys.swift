import InstantSearchJSON

// Keys belong to the application. These calls need the admin key, except reading the own key.
extension SearchClient {
  /// Returns all keys except the admin key, with their rights and limits.
  @concurrent
  public func keys(
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [APIKey] {
    try await list(EndpointCall(.keys(.list)), "keys", options)
  }

  /// Returns a key with its rights and limits. A key other than the admin key can read itself only.
  ///
  /// - Throws: `invalidRequest` with status 404 if there is no such key.
  @concurrent
  public func key(
    _ value: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> APIKey {
    try EndpointCall.check(key: value)
    let call = EndpointCall(.keys(.get(key: value)))
    return try await decoded(call, options)
  }

  /// Adds a key, and returns its value, which the service chooses.
  ///
  /// ```swift
  /// let value = try await client.addKey(
  ///   APIKey(acl: [.search], indexes: ["films"], maxHitsPerQuery: 50))
  /// ```
  ///
  /// The hosted service needs some seconds until all of its servers know a new key.
  ///
  /// - Parameters:
  ///   - key: The rights and the limits, without a value. Its time of creation is not sent.
  ///   - options: Options of the call.
  /// - Throws: `invalidRequest` if the key has a value; the error of the call.
  @concurrent @discardableResult
  public func addKey(
    _ key: APIKey, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> String {
    guard key.value.isEmpty else {
      throw SearchError(
        .invalidRequest, "The service chooses the value of a key. Leave it empty, or update a key.")
    }
    let call = EndpointCall(.keys(.add), body: key.requestBody)
    let root = try await response(to: call, options: options).document.root
    guard let value = root["key"]?.string else {
      throw CallContext(call).error(.decoding, "The response has no key.")
    }
    return value
  }

  /// Replaces the rights and the limits of the key with the same value.
  ///
  /// What the key does not set returns to its default, so read the key first and change it.
  ///
  /// ```swift
  /// var key = try await client.key(value)
  /// key.indexes = ["films"]
  /// try await client.updateKey(key)
  /// ```
  ///
  /// - Throws: `invalidRequest` with status 404 if there is no such key.
  @concurrent
  public func updateKey(
    _ key: APIKey, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) {
    try EndpointCall.check(key: key.value)
    _ = try await response(
      to: EndpointCall(.keys(.update(key: key.value)), body: key.requestBody), options: options)
  }

  /// Deletes a key. Secured keys that derive from it end with it.
  @concurrent
  public func deleteKey(
    _ value: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) {
    try EndpointCall.check(key: value)
    _ = try await response(to: EndpointCall(.keys(.delete(key: value))), options: options)
  }

  /// Restores a deleted key, without an end of its validity. The hosted service keeps the last
  /// 1,000 deleted keys.
  ///
  /// - Throws: `invalidRequest` with status 404 if there is no such key.
  @concurrent
  public func restoreKey(
    _ value: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) {
    try EndpointCall.check(key: value)
    _ = try await response(to: EndpointCall(.keys(.restore(key: value))), options: options)
  }
}

extension APIKey {
  /// The body of a call that writes the key.
  fileprivate var requestBody: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer, isRequest: true)
    return writer.bytes
  }
}

extension EndpointCall {
  /// Rejects an empty key, which would address all keys. The error does not quote a key.
  fileprivate static func check(key: String) throws(SearchError) {
    guard key.isEmpty else { return }
    throw SearchError(.invalidRequest, "The key is empty.")
  }
}
