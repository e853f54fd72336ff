import InstantSearchJSON

extension SingleOrList<Point>: ReadableLater {
  init?(at index: Int, of answer: HitAnswer) {
    // Not through a decoder, which would begin a session for every place.
    func point(_ node: JSONNode) throws -> Point {
      try Point(node: node, options: JSONDecodingOptions())
    }
    let node = JSONNode(document: answer.document, index: index)
    let value: Self? =
      node.kind == .array
      ? (try? node.elements.map(point)).map(Self.list) : (try? point(node)).map(Self.single)
    guard let value else { return nil }
    self = value
  }
}
