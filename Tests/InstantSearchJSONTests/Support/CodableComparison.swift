import Foundation
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// Decodes with both decoders, expects the same value or error, and returns our outcome.
@discardableResult
func expectSameDecoding<Value: Decodable & Equatable>(
  _ type: Value.Type, _ json: String, options: JSONDecodingOptions = .init(),
  foundation: JSONDecoder = JSONDecoder(), sourceLocation: SourceLocation = #_sourceLocation
) -> Outcome<Value> {
  let ours = outcome {
    try JSONValueDecoder(options: options).decode(type, from: Array(json.utf8))
  }
  let theirs = outcome { try foundation.decode(type, from: Data(json.utf8)) }
  expectEqual(ours, theirs, "\(json)", sourceLocation: sourceLocation)
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
  expectEqual(ours, theirs, "\(text)", sourceLocation: sourceLocation)
  return text
}
