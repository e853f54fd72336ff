import AsyncInstantSearch
import InstantSearchJSON

/// The body of a call, read as JSON.
struct RequestBody: Sendable {
  /// The body's object.
  let root: JSONNode

  /// Reads a body; an empty one counts as an empty object.
  init(_ bytes: [UInt8], _ checkpoint: Checkpoint) throws {
    do {
      root = try checkpoint.document(bytes.isEmpty ? Array("{}".utf8)[...] : bytes[...]).root
    } catch let error as JSONError {
      throw APIError(
        "Malformed JSON: \(error.message) at line \(error.line) column \(error.column)")
    }
    guard root.kind == .object else { throw APIError("Malformed body: expected a JSON object") }
  }

  /// The elements of a member that must be an array of objects.
  func objects(_ name: String, _ checkpoint: Checkpoint) throws -> [JSONNode] {
    guard let node = root[name], node.kind == .array else {
      throw APIError("Malformed body: expected an array \"\(name)\"")
    }
    var objects: [JSONNode] = []
    for (index, element) in node.elements.enumerated() {
      try checkpoint.count()
      guard element.kind == .object else {
        throw APIError("Malformed body: expected an object at \(name)[\(index)]")
      }
      objects.append(element)
    }
    return objects
  }

  /// The text of a member that must be there.
  static func string(_ name: String, in node: JSONNode) throws(APIError) -> String {
    guard let text = node[name]?.string else {
      throw APIError("Malformed body: expected a string \"\(name)\"")
    }
    return text
  }

  /// The search parameters of an object: those of its `params` text, and over them its own members.
  ///
  /// - Parameter names: Members that are no search parameters.
  static func query(
    in node: JSONNode, except names: Set<String> = [], _ checkpoint: Checkpoint
  ) throws -> SearchQuery {
    var reader = ParameterReader(checkpoint)
    let inline = try reader.query(in: node, except: names.union(["params"]))
    guard let params = node["params"], !params.isNull else { return inline }
    guard params.kind == .string else {
      throw APIError("Malformed body: expected a string \"params\"")
    }
    // A byte of the text has at most six as it was written, with escapes.
    let length = params.sourceRange.count - 2
    guard length <= 6 * ParameterLimits.maximumParamsLength, let text = params.string else {
      throw APIError.invalidValue(
        of: "params", expected: "at most \(ParameterLimits.maximumParamsLength) bytes",
        got: "\(length) bytes of JSON")
    }
    try checkpoint.count(bytes: length)
    return try reader.query(urlEncoded: text, of: "params").merging(inline)
  }
}

extension JSONNode {
  /// The beginning of the value as it was written, for messages.
  var excerpt: String { String(decoding: source.prefix(80), as: UTF8.self) }
}
