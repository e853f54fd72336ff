import AsyncInstantSearch
import InstantSearchJSON

/// Parameters are read as a whole, so what would take long to read is refused before.
extension ParameterLimits {
  /// Refuses parameters with too many values, and too long texts of parameters that the engine
  /// knows.
  ///
  /// - Parameter names: Members that are no search parameters.
  static func check(
    valuesOf parameters: JSONNode, except names: Set<String>, _ checkpoint: Checkpoint
  ) throws {
    var count = 0
    for member in parameters.members where !member.isSuperseded && !names.contains(member.key) {
      if member.key == "params" {
        try check(
          member.value, maximumLength: maximumParamsLength, member.key, &count, checkpoint)
      } else {
        let isKnown = SearchParameter.named(member.key) != nil
        try check(
          member.value, maximumLength: isKnown ? maximumTotalLength : nil, member.key, &count,
          checkpoint)
      }
    }
  }

  /// Refuses parameters in URL-encoded form that are too long.
  static func check(params text: String?, _ name: String) throws(APIError) {
    try check(text: text, name, maximumLength: maximumParamsLength)
  }

  private static func check(
    _ value: JSONNode, maximumLength: Int?, _ name: String, _ count: inout Int,
    _ checkpoint: Checkpoint
  ) throws {
    try checkpoint.count()
    count += 1
    guard count <= maximumValueCount else {
      throw APIError(
        "Too many values: expected at most \(maximumValueCount) in all parameters of a query"
          + " together")
    }
    switch value.kind {
    case .array:
      for element in value.elements {
        try check(element, maximumLength: maximumLength, name, &count, checkpoint)
      }
    case .object:
      for member in value.members {
        try check(member.value, maximumLength: maximumLength, name, &count, checkpoint)
      }
    case .string:
      // A byte of the text has at most six as it was written, with escapes.
      let length = value.sourceRange.count - 2
      guard let maximumLength, length > maximumLength else { return }
      guard length <= 6 * maximumLength else {
        throw APIError.invalidValue(
          of: name, expected: "at most \(maximumLength) bytes", got: "\(length) bytes of JSON")
      }
      try check(text: value.string, name, maximumLength: maximumLength)
    case .number, .bool, .null: break
    }
  }
}
