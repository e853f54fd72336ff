package import InstantSearchJSON

extension JSONNode {
  /// The error for a value that is not what a type is read from.
  package func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "expected \(type), found \(kind)")
    return isNull
      ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
  }

  /// The text of a member that must be there.
  package func text(_ key: String) throws -> String {
    let member = try required(key)
    guard let text = member.string else { throw member.mismatch(String.self) }
    return text
  }

  /// The number of a member that must be there.
  package func number(_ key: String) throws -> Double {
    let member = try required(key)
    guard let number = member.double else { throw member.mismatch(Double.self) }
    return number
  }

  /// A member that must be there.
  package func required(_ key: String) throws -> JSONNode {
    guard kind == .object else { throw mismatch([String: Any].self) }
    guard let member = self[key] else {
      throw DecodingError.keyNotFound(
        AnyKey(key),
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "the member \(key) is missing"))
    }
    return member
  }
}
