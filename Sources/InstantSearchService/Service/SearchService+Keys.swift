import InstantSearchJSON

extension SearchService {
  /// Answers a call about keys, which the service handles itself.
  func answer(
    _ call: Endpoint.Keys, _ caller: Caller, _ credentials: Credentials, _ body: JSONNode,
    until deadline: Deadline?
  ) async throws -> ServiceResponse {
    switch call {
    case .list:
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("keys")
      writer.beginArray()
      for key in keys.all { key.write(to: &writer) }
      writer.endArray()
      writer.endObject()
      return ServiceResponse(json: writer.bytes)
    case .get(let value):
      // A caller may read only its own key.
      guard caller.limits == nil || value == credentials.key else {
        throw ServiceError.methodNotAllowed
      }
      let key = try existing(value)
      var writer = JSONWriter()
      key.write(to: &writer, showsNote: caller.limits == nil)
      return ServiceResponse(json: writer.bytes)
    case .add:
      let key = try APIKey(
        body, value: ServiceKeys.randomKey(), createdAt: milliseconds())
      try await keys.save(key, until: deadline)
      return answer(to: key.value, "createdAt")
    case .update(let value):
      // Missing members return to their defaults. A new validity counts from now.
      let key = try APIKey(body, value: value, createdAt: milliseconds())
      guard try await keys.save(key, isUpdate: true, until: deadline) else { throw Self.unknownKey }
      return answer(to: value, "updatedAt")
    case .delete(let value):
      guard try await keys.delete(value, until: deadline) else { throw Self.unknownKey }
      return ServiceResponse(json: JSON.object(["deletedAt": .string(timestamp())]).bytes)
    case .restore(let value):
      guard try await keys.restore(value, until: deadline) else { throw Self.unknownKey }
      return answer(to: value, "createdAt")
    }
  }

  private static let unknownKey = ServiceError(404, "Key does not exist")

  private func existing(_ value: String) throws(ServiceError) -> APIKey {
    guard let key = keys.entry(value)?.key else { throw Self.unknownKey }
    return key
  }

  private func answer(to value: String, _ timeName: String) -> ServiceResponse {
    ServiceResponse(
      json: JSON.object(["key": .string(value), timeName: .string(timestamp())]).bytes)
  }

  private func milliseconds() -> Int64 { Int64(configuration.now()) * 1000 }

  private func timestamp() -> String { ISO8601.text(fromSeconds: configuration.now()) }
}
