import SearchJSON

/// Reads the members of an object; what is absent or `null` is `nil`, and a mismatch names its path.
struct ObjectReader {
  /// The object.
  let node: JSONNode

  /// Checks that the value is an object.
  init(_ node: JSONNode) throws(SearchParameterMismatch) {
    guard node.kind == .object else {
      throw SearchParameterMismatch(expected: "object", found: node)
    }
    self.node = node
  }

  /// Reads a member that is a value.
  func value<Value: SearchParameterValue>(
    _ key: String
  ) throws(SearchParameterMismatch) -> Value? {
    guard let member = node[key], !member.isNull else { return nil }
    do throws(SearchParameterMismatch) {
      return try Value(parameter: member)
    } catch {
      throw error.inside(key)
    }
  }

  /// Reads a member that is an object.
  @discardableResult
  func read<Value>(
    _ key: String, _ body: (ObjectReader) throws(SearchParameterMismatch) -> Value
  ) throws(SearchParameterMismatch) -> Value? {
    guard let member = node[key], !member.isNull else { return nil }
    do throws(SearchParameterMismatch) {
      return try body(ObjectReader(member))
    } catch {
      throw error.inside(key)
    }
  }
}

extension JSONWriter {
  /// Writes a member, unless its value is `nil`.
  mutating func member(_ key: String, _ value: (some SearchParameterValue)?) {
    guard let value else { return }
    self.key(key)
    value.writeParameter(to: &self)
  }
}
