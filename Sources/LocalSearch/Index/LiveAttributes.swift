import InstantSearchJSON

/// The attributes and values of live documents. Attributes and values of deleted documents don't
/// count, whether or not a merge has removed them, so that equal calls have equal responses.
extension SegmentView {
  /// Whether all documents are live.
  var isWhole: Bool { liveCount == segment.count }

  /// Whether a document has an attribute or something below it. With very many attributes, always
  /// `true`.
  func hasAttribute(_ path: String, _ cancellation: CancellationCheck) throws -> Bool {
    guard try segment.attributes.mayHave(path, cancellation) else { return false }
    if isWhole || !segment.attributes.hasAllNames { return true }
    try cancellation.count(1 + segment.count &>> 8)
    var scan = segment.scans[path] ?? AttributeScans.Scan(count: segment.count)
    if scan.having.intersectionCount(with: live) > 0 { return true }
    // Keep the progress of a cancelled scan.
    defer { segment.scans.note(scan, of: path) }
    let components = path.split(separator: ".", omittingEmptySubsequences: false)
    while scan.end < segment.count {
      let document = scan.end
      let record = try cancellation.record(segment.records.bytes(of: document))
      let isThere = try record.map {
        try Self.has(components[...], in: $0, isRecord: true, cancellation)
      }
      scan.end += 1
      guard isThere == true else { continue }
      scan.having.insert(document)
      if live[document] { return true }
    }
    return false
  }

  /// Whether a value has an attribute, which may be in one of several elements.
  private static func has(
    _ path: ArraySlice<Substring>, in node: JSONNode, isRecord: Bool,
    _ cancellation: CancellationCheck
  ) throws -> Bool {
    try cancellation.count()
    switch node.kind {
    case .array:
      return try node.elements.contains {
        try has(path, in: $0, isRecord: false, cancellation)
      }
    case .object:
      return try node.members.contains { member in
        if member.isSuperseded { return false }
        let key = member.key.split(separator: ".", omittingEmptySubsequences: false)
        if key.starts(with: path) { return true }
        guard path.starts(with: key), !(isRecord && member.key == "_geoloc") else { return false }
        return try has(path.dropFirst(key.count), in: member.value, isRecord: false, cancellation)
      }
    case .null, .bool, .number, .string:
      return false
    }
  }

  /// Whether a document has a value of a declared facet.
  func hasFacetValues(_ attribute: String, _ cancellation: CancellationCheck) throws -> Bool {
    guard let column = segment.attributes.facet(attribute) else { return false }
    return try hasValues(column, cancellation)
  }

  /// Whether a document has a tag.
  func hasTags(_ cancellation: CancellationCheck) throws -> Bool {
    try hasValues(segment.attributes.tags, cancellation)
  }

  private func hasValues(_ column: FacetColumn, _ cancellation: CancellationCheck) throws -> Bool {
    isWhole ? !column.values.isEmpty : try column.hasValue(in: live, cancellation)
  }

  /// Whether a document has a number of an attribute.
  func hasNumbers(_ attribute: String) -> Bool {
    guard let column = segment.attributes.numeric(attribute) else { return false }
    return isWhole || column.hasNumber(in: live)
  }
}

/// The documents of a segment that have an attribute, as far as they have been scanned, live or
/// not. Each is scanned once per attribute, however often the set of live documents changes.
final class AttributeScans: Sendable {
  struct Scan: Sendable {
    /// The documents that have the attribute or something below it.
    var having: Bitmap
    /// The number of documents scanned so far, from the start.
    var end = 0

    init(count: Int) { having = Bitmap(count: count) }
  }

  private let scans = Lock<[String: Scan]>([:])

  /// The maximum number of attributes, so that queries cannot fill the memory.
  private static let maximumCount = 64

  subscript(path: String) -> Scan? { scans.withLock { $0[path] } }

  /// Keeps a scan, unless a longer one is known.
  func note(_ scan: Scan, of path: String) {
    scans.withLock { scans in
      if let known = scans[path] ?? (scans.count < Self.maximumCount ? Scan(count: 0) : nil),
        known.end < scan.end
      {
        scans[path] = scan
      }
    }
  }
}

/// A cache of whether any record of an index has an attribute.
final class KnownAttributes: Sendable {
  private let known = Lock<[String: Bool]>([:])

  /// The maximum number of attributes, so that queries cannot fill the memory with names.
  private static let maximumCount = 1000

  func value(of attribute: String) -> Bool? { known.withLock { $0[attribute] } }

  func set(_ isThere: Bool, of attribute: String) {
    known.withLock { known in
      if known.count < Self.maximumCount { known[attribute] = isThere }
    }
  }
}
