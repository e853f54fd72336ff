import Foundation
import SearchJSON
import Testing

/// What a coding call came to: a value, or the kind, subject and path of its error.
enum Outcome<Value: Equatable>: Equatable {
  case value(Value)
  case error(String)
}

/// Kind, type or key, and coding path of a coding error.
func summary(of error: any Error) -> String {
  func path(_ keys: [any CodingKey]) -> String { keys.map(\.stringValue).joined(separator: ".") }
  switch error {
  case DecodingError.typeMismatch(let type, let context):
    return "typeMismatch \(type) at [\(path(context.codingPath))]"
  case DecodingError.valueNotFound(let type, let context):
    return "valueNotFound \(type) at [\(path(context.codingPath))]"
  case DecodingError.keyNotFound(let key, let context):
    return "keyNotFound \(key.stringValue) at [\(path(context.codingPath))]"
  case DecodingError.dataCorrupted(let context):
    return "dataCorrupted at [\(path(context.codingPath))]"
  case EncodingError.invalidValue(_, let context):
    return "invalidValue at [\(path(context.codingPath))]"
  default: return "\(error)"
  }
}

func outcome<Value: Equatable>(_ body: () throws -> Value) -> Outcome<Value> {
  do { return .value(try body()) } catch { return .error(summary(of: error)) }
}

/// Decodes with both decoders, expects the same value or error, and returns ours.
@discardableResult
func expectSameDecoding<Value: Decodable & Equatable>(
  _ type: Value.Type, _ json: String, options: JSONDecodingOptions = .init(),
  foundation: JSONDecoder = JSONDecoder(), sourceLocation: SourceLocation = #_sourceLocation
) -> Outcome<Value> {
  let ours = outcome {
    try JSONValueDecoder(options: options).decode(type, from: Array(json.utf8))
  }
  let theirs = outcome { try foundation.decode(type, from: Data(json.utf8)) }
  #expect(ours == theirs, "\(json)", sourceLocation: sourceLocation)
  return ours
}

/// Encodes with both encoders and expects the same JSON value or error.
@discardableResult
func expectSameEncoding<Value: Encodable>(
  _ value: Value, options: JSONEncodingOptions = .init(),
  foundation: JSONEncoder = JSONEncoder(), sourceLocation: SourceLocation = #_sourceLocation
) -> String {
  var text = ""
  let ours = outcome {
    let bytes = try JSONValueEncoder(options: options).encode(value)
    text = String(decoding: bytes, as: UTF8.self)
    return try JSONValueDecoder().decode(JSONTree.self, from: bytes)
  }
  let theirs = outcome {
    try JSONValueDecoder().decode(JSONTree.self, from: Array(foundation.encode(value)))
  }
  #expect(ours == theirs, "\(text)", sourceLocation: sourceLocation)
  return text
}
