/// Values arranged as the record they belong to: by attribute, and by index where it has a list.
///
/// ```swift
/// hit.highlightResult?["title"]?.value?.value.text
/// hit.highlightResult?["cast"]?[0]?.value
/// hit.highlightResult?[path: "author.name"]?.value
/// ```
public enum TreeModel<Value> {
  /// A leaf.
  case value(Value)
  /// What belongs to a list, in its order.
  case array([TreeModel])
  /// What belongs to an object, by attribute.
  case dictionary([String: TreeModel])

  /// The value of a leaf; `nil` for a branch.
  public var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The parts of a list; `nil` for anything else.
  public var array: [TreeModel]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The parts of an object; `nil` for anything else.
  public var dictionary: [String: TreeModel]? {
    if case .dictionary(let members) = self { members } else { nil }
  }

  /// The part at that index; `nil` when there is none.
  public subscript(index: Int) -> TreeModel? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The part for that attribute; `nil` when there is none. A point in the name is part of it.
  public subscript(attribute: String) -> TreeModel? {
    if case .dictionary(let members) = self { members[attribute] } else { nil }
  }

  /// The part at a path of attributes and indices joined by points, as in `cast.0.name`.
  ///
  /// An attribute of a list is that attribute of each of its elements that has it, as an array:
  /// `cast.name`. An attribute whose name itself contains points is found too.
  public subscript(path path: String) -> TreeModel? {
    at(path[...])
  }

  /// All leaves below this point, a dictionary's in the order of their attributes.
  public var leaves: [Value] {
    var leaves: [Value] = []
    // The parts still to be visited, the next one last.
    var parts = [self]
    while let part = parts.popLast() {
      switch part {
      case .value(let value): leaves.append(value)
      case .array(let elements): parts.append(contentsOf: elements.reversed())
      case .dictionary(let members):
        parts.append(contentsOf: members.sorted { $0.key > $1.key }.map(\.value))
      }
    }
    return leaves
  }

  /// The same tree with each leaf replaced.
  public func mapValues<Other>(_ transform: (Value) -> Other) -> TreeModel<Other> {
    switch self {
    case .value(let value): .value(transform(value))
    case .array(let elements): .array(elements.map { $0.mapValues(transform) })
    case .dictionary(let members):
      .dictionary(members.mapValues { $0.mapValues(transform) })
    }
  }

  private func at(_ path: Substring) -> TreeModel? {
    switch self {
    case .value: return nil
    case .array(let elements):
      let point = path.firstIndex(of: ".")
      if let index = Int(path[..<(point ?? path.endIndex)]) {
        guard elements.indices.contains(index) else { return nil }
        return if let point {
          elements[index].at(path[point...].dropFirst())
        } else {
          elements[index]
        }
      }
      let parts = elements.compactMap { $0.at(path) }
      return parts.isEmpty ? nil : .array(parts)
    case .dictionary(let members):
      if let member = members[String(path)] { return member }
      for point in path.indices where path[point] == "." {
        if let part = members[String(path[..<point])]?.at(path[point...].dropFirst()) {
          return part
        }
      }
      return nil
    }
  }
}

extension TreeModel: Sendable where Value: Sendable {}
extension TreeModel: Equatable where Value: Equatable {}
extension TreeModel: Hashable where Value: Hashable {}

extension TreeModel where Value == HighlightResult {
  /// The one result that stands best for this part of the tree.
  ///
  /// A leaf is its own. Below a branch it is the match with the most matched words, the first of
  /// equals; when nothing matches, the first leaf.
  public var best: HighlightResult? {
    var best: HighlightResult?
    for leaf in leaves {
      guard let current = best else {
        best = leaf
        continue
      }
      if leaf.matchLevel == .none { continue }
      if current.matchLevel == .none || leaf.matchedWords.count > current.matchedWords.count {
        best = leaf
      }
    }
    return best
  }
}
