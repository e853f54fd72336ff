import InstantSearchJSON

/// The names of what makes no difference to an answer, so that a cache leaves it out of its keys.
struct IgnoredNames: Sendable {
  /// Names of headers and query items, in lower case.
  let fields: Set<String>
  /// Names of members of a body, as they are written there.
  private let members: Set<String>
  /// The same, as the bytes that follow the first quote of such a name.
  private let searched: [[UInt8]]

  /// Takes the names that a caller gives, beside which there are those of fields that never count.
  init(_ names: Set<String>) {
    fields = Set(names.map { $0.lowercased() })
      .union(CallFields.requestIDNames)
      .union(CallFields.agentNames)
      .union(CallFields.traceNames)
    members = names
    searched = names.map { Array($0.utf8) + [UInt8(ascii: "\"")] }
  }

  /// The body of a call without the members that make no difference: those of the object that it
  /// is, and those of each query of a multi-query.
  ///
  /// - Complexity: O(length of the body). It is read as JSON only when one of the names is in it.
  func remainder(ofBodyOf request: TransportRequest) -> [UInt8] {
    let body = request.body
    guard isAnyNamed(in: body), let root = (try? JSONDocument(body))?.root, root.kind == .object
    else { return body }
    var writer = JSONWriter(capacity: body.count)
    write(root, reducing: request.endpoint == .multiQuery ? "requests" : nil, to: &writer)
    return writer.bytes
  }

  private func isAnyNamed(in body: [UInt8]) -> Bool {
    if searched.isEmpty { return false }
    var rest = body[...]
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      rest = rest[(quote + 1)...]
      if searched.contains(where: { rest.starts(with: $0) }) { return true }
    }
    return false
  }

  /// Writes the members of an object that count, and of the objects in its list of a name likewise.
  private func write(
    _ object: JSONNode, reducing listName: String? = nil, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    for member in object.members {
      let key = member.key
      if members.contains(key) { continue }
      writer.key(key)
      guard key == listName, member.value.kind == .array else {
        writer.raw(member.value)
        continue
      }
      writer.beginArray()
      for element in member.value.elements {
        if element.kind == .object { write(element, to: &writer) } else { writer.raw(element) }
      }
      writer.endArray()
    }
    writer.endObject()
  }
}
