import InstantSearchJSON

/// Cuts the attributes to be returned out of a record's bytes, without writing values anew.
struct RecordProjection: Sendable, Hashable {
  private let included: AttributeList
  private let excluded: AttributeList
  private let isForHits: Bool

  /// The members that a hit has besides the record; those of a record with such names give way.
  static let hitMembers: Set<String> = [
    "_highlightResult", "_snippetResult", "_distinctSeqID", "_rankingInfo",
  ]

  /// Creates a projection.
  ///
  /// - Parameters:
  ///   - attributes: The attributes to return. With `*` all of them, less those named as `-attribute`.
  ///   - unretrievable: Attributes that are never returned.
  ///   - isForHits: Whether members that a hit has of its own are left out. `false` by default.
  init(attributes: [String], unretrievable: [String], isForHits: Bool = false) {
    self.isForHits = isForHits
    included = AttributeList(attributes)
    let minus = included.isAll ? attributes.filter { $0.hasPrefix("-") } : []
    excluded = AttributeList(
      (minus.map { String($0.dropFirst()) } + unretrievable).filter {
        $0 != "*" && $0 != "objectID"
      })
  }

  /// Whether records are returned as they are.
  var isIdentity: Bool { included.isAll && excluded.paths.isEmpty }

  /// Whether an attribute must not be shown, nor anything beneath it.
  func hides(_ path: String) -> Bool { excluded.covers(path) }

  /// Returns the record's object with the wanted members; `objectID` always stays.
  func bytes(of record: JSONNode) -> [UInt8] {
    var writer = JSONWriter(capacity: record.sourceRange.count)
    open(record, in: &writer)
    writer.endObject()
    return writer.bytes
  }

  /// Writes the record's object with the wanted members, and leaves it open for more of them.
  func open(_ record: JSONNode, in writer: inout JSONWriter) {
    let hasHitMembers = isForHits && Self.hitMembers.contains { record[$0] != nil }
    if isIdentity && !hasHitMembers {
      // Every record has its object ID, so its object is not empty.
      writer.openObject(record)
      return
    }
    writer.beginObject()
    for member in record.members where !member.isSuperseded {
      if hasHitMembers && Self.hitMembers.contains(member.key) { continue }
      if member.key == "objectID" {
        writer.key(member.key)
        writer.raw(member.value)
      } else {
        write(member, at: member.key, isWanted: included.isAll, to: &writer)
      }
    }
  }

  private func write(
    _ member: JSONMember, at path: String, isWanted: Bool, to writer: inout JSONWriter
  ) {
    guard !excluded.covers(path) else { return }
    let isWanted = isWanted || included.covers(path)
    if isWanted, !excluded.contains(beneath: path) {
      writer.key(member.key)
      writer.raw(member.value)
    } else if isWanted || (included.contains(beneath: path) && reaches(member.value, at: path)) {
      writer.key(member.key)
      write(member.value, at: path, isWanted: isWanted, to: &writer)
    }
  }

  /// Writes what is left of a value some of whose parts are wanted.
  private func write(
    _ node: JSONNode, at path: String, isWanted: Bool, to writer: inout JSONWriter
  ) {
    switch node.kind {
    case .object:
      writer.beginObject()
      for member in node.members where !member.isSuperseded {
        write(member, at: path + "." + member.key, isWanted: isWanted, to: &writer)
      }
      writer.endObject()
    case .array:
      writer.beginArray()
      for element in node.elements
      where isWanted || element.kind == .object || element.kind == .array {
        write(element, at: path, isWanted: isWanted, to: &writer)
      }
      writer.endArray()
    default:
      writer.raw(node)
    }
  }

  /// Whether a value has a part that is wanted.
  private func reaches(_ node: JSONNode, at path: String) -> Bool {
    switch node.kind {
    case .object:
      node.members.contains { member in
        let path = path + "." + member.key
        return !excluded.covers(path)
          && (included.covers(path)
            || (included.contains(beneath: path) && reaches(member.value, at: path)))
      }
    case .array: node.elements.contains { reaches($0, at: path) }
    default: false
    }
  }
}
