/// A part of a segment to merge, with the new number of each of its documents.
///
/// New numbers ascend within a source and from one source to the next.
struct MergeSource<Content> {
  let content: Content
  /// The new document of each old one, or ``deleted``.
  let newDocuments: [UInt32]

  /// Returns another part of the same segment.
  func map<Part>(_ part: (Content) throws -> Part) rethrows -> MergeSource<Part> {
    MergeSource<Part>(content: try part(content), newDocuments: newDocuments)
  }

  /// Returns another part of the same segment, or `nil` if it has none.
  func compactMap<Part>(_ part: (Content) throws -> Part?) rethrows -> MergeSource<Part>? {
    try part(content).map { MergeSource<Part>(content: $0, newDocuments: newDocuments) }
  }

  /// Calls a closure with the old and the new number of each document that is kept.
  func forEachDocument(
    _ cancellation: CancellationCheck, _ body: (_ old: Int, _ new: UInt32) throws -> Void
  ) throws {
    try cancellation.forEach(newDocuments.indices) { old in
      if newDocuments[old] != .deleted { try body(old, newDocuments[old]) }
    }
  }
}

extension UInt32 {
  /// The new number of a document that is not kept.
  static let deleted = UInt32.max
}
