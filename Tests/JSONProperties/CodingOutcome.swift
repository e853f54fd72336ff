/// The outcome of a coding call: a value, or the kind, subject and path of its error.
package enum Outcome<Value: Equatable>: Equatable {
  case value(Value)
  case error(String)
}

extension Outcome: Sendable where Value: Sendable {}

/// The value or the error of a coding call.
package func outcome<Value: Equatable>(_ body: () throws -> Value) -> Outcome<Value> {
  do { return .value(try body()) } catch { return .error(summary(of: error)) }
}

/// Kind, type or key, and coding path of a coding error; `comparably` as for
/// ``text(of:comparably:)``.
package func summary(of error: any Error, comparably: Bool = false) -> String {
  func path(_ context: DecodingError.Context) -> String {
    text(of: context.codingPath, comparably: comparably)
  }
  switch error {
  case DecodingError.typeMismatch(let type, let context):
    return "typeMismatch \(type) at [\(path(context))]"
  case DecodingError.valueNotFound(let type, let context):
    return "valueNotFound \(type) at [\(path(context))]"
  case DecodingError.keyNotFound(let key, let context):
    return "keyNotFound \(text(of: [key], comparably: comparably)) at [\(path(context))]"
  case DecodingError.dataCorrupted(let context): return "dataCorrupted at [\(path(context))]"
  case EncodingError.invalidValue(_, let context):
    return "invalidValue at [\(text(of: context.codingPath, comparably: comparably))]"
  default: return "\(error)"
  }
}

/// A coding path as text, such as `hits.Index 3.name`.
///
/// - Parameter comparably: Whether to leave out what differs from Foundation's paths: integer keys,
///   and whether keys were converted from snake case. See ``FoundationDifference``.
package func text(of path: [any CodingKey], comparably: Bool = false) -> String {
  path.map { key in
    let name = key.stringValue
    if name == key.intValue.map({ "Index \($0)" }) { return name }
    // A member can have the same name as an element.
    let mark = name.hasPrefix("Index ") ? "#" : ""
    if comparably { return name.replacing("_", with: "").lowercased() + mark }
    return name + mark + (key.intValue.map { "#\($0)" } ?? "")
  }
  .joined(separator: ".")
}
