import InstantSearchJSON

extension ReadLater {
  /// The part of a tree at a path.
  ///
  /// Where the path is the name of one of the outermost attributes, no other is read.
  func part<Leaf>(at path: String) -> TreeModel<Leaf>? where Value == TreeModel<Leaf> {
    if case .written(let answer, let index) = self,
      let member = answer.document.index(of: path, inObjectAt: index),
      Leaf(at: index, of: answer.document, tags: answer.tags) == nil,
      let part = TreeModel<Leaf>.part(at: member, of: answer, depth: 0)
    {
      return part
    }
    return value?[path: path]
  }
}

extension TreeModel: ReadableLater where Value: HighlightLeaf {
  /// How deep a hit's tree may be, so that whatever goes through it, by recursion too, has room on
  /// the stack of a small thread.
  private static var maximumDepth: Int { 128 }

  /// Reads the tree of a hit; what cannot be read is left out.
  init?(at index: Int, of answer: HitAnswer) {
    guard case .object = answer.document.kind(at: index) else { return nil }
    self = Self.branch(at: index, of: answer, depth: 0)
  }

  /// Reads a part of a tree; `nil` for a scalar, which is none.
  fileprivate static func part(at index: Int, of answer: HitAnswer, depth: Int) -> TreeModel? {
    answer.document.isContainer(at: index) ? branch(at: index, of: answer, depth: depth) : nil
  }

  /// Reads a part of a tree that is an object or an array.
  private static func branch(at index: Int, of answer: HitAnswer, depth: Int) -> TreeModel {
    let document = answer.document
    if case .object = document.kind(at: index) {
      if let leaf = Value(at: index, of: document, tags: answer.tags) { return .value(leaf) }
      guard depth < JSONDocument.recursionLimit else { return deepPart(at: index, of: answer) }
      var isWhole = true
      document.forEachMember(ofObjectAt: index) { member in
        if !document.isContainer(at: member) { isWhole = false }
      }
      if isWhole {
        return .dictionary(
          answer.members(ofObjectAt: index) { branch(at: $0, of: answer, depth: depth + 1) })
      }
      var members: [String: TreeModel] = [:]
      document.forEachMember(ofObjectAt: index) { member in
        if let part = part(at: member, of: answer, depth: depth + 1) {
          members[document.key(of: member)] = part
        }
      }
      return .dictionary(members)
    }
    guard depth < JSONDocument.recursionLimit else { return deepPart(at: index, of: answer) }
    var elements: [TreeModel] = []
    elements.reserveCapacity(document.count(at: index))
    document.forEachElement(ofArrayAt: index) { element in
      if let part = part(at: element, of: answer, depth: depth + 1) { elements.append(part) }
    }
    return .array(elements)
  }

  private static func deepPart(at index: Int, of answer: HitAnswer) -> TreeModel {
    let document = answer.document
    let part = document.folded(
      at: index, maximumDepth: maximumDepth - JSONDocument.recursionLimit,
      step: { index in
        switch document.kind(at: index) {
        case .object:
          Value(at: index, of: document, tags: answer.tags).map { .value(.value($0)) } ?? .branch
        case .array: .branch
        default: .nothing
        }
      },
      array: TreeModel.array, object: TreeModel.dictionary)
    // Only what is nested too deep is left out.
    return part ?? .array([])
  }
}
