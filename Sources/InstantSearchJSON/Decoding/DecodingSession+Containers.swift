extension DecodingSession {
  /// The word of an object, or the error of a container asked for in vain.
  func objectWord(at index: Int) throws -> JSONWord {
    let word = word(at: index)
    switch word.kind {
    case .object: return word
    case .null:
      throw DecodingError.valueNotFound(
        [String: Any].self,
        DecodingError.Context(
          codingPath: path(to: index),
          debugDescription: "Cannot get keyed decoding container -- found null value instead"))
    default: throw mismatch([String: Any].self, at: index)
    }
  }

  /// The word of an array, or the error of a container asked for in vain.
  func arrayWord(at index: Int) throws -> JSONWord {
    let word = word(at: index)
    switch word.kind {
    case .array: return word
    case .null:
      throw DecodingError.valueNotFound(
        [Any].self,
        DecodingError.Context(
          codingPath: path(to: index),
          debugDescription: "Cannot get unkeyed decoding container -- found null value instead"))
    default: throw mismatch([Any].self, at: index)
    }
  }
}
