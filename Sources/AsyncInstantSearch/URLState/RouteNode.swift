/// A value of a route while it is read.
///
/// It is a class so that merging changes it in place. Lists have gaps until all indices are read.
final class RouteNode {
  enum Kind {
    case text
    case list
    case object
  }

  private var kind: Kind
  private var text = ""
  private var elements: [Int: RouteNode] = [:]
  /// The index after the last element.
  private var end = 0
  private(set) var members: [String: RouteNode] = [:]

  /// Creates an empty value.
  init(_ kind: Kind) { self.kind = kind }

  /// Creates text.
  init(text: String) {
    kind = .text
    self.text = text
  }

  /// Creates a list or an object that holds a value under a name.
  init(_ value: RouteNode, named name: RouteKey.Name) {
    switch name {
    case .member(let name):
      kind = .object
      members = [name: value]
    case .index(let index):
      kind = .list
      elements = [index: value]
      end = index + 1
    case .end:
      kind = .list
      // A list at the end of a list continues it.
      append(contentsOf: value)
    }
  }

  /// The value without gaps. Its depth is limited by the depth of keys.
  var value: RouteValue {
    switch kind {
    case .text: .text(text)
    case .list: .list(elements.sorted { $0.key < $1.key }.map(\.value.value))
    case .object: .object(members.mapValues(\.value))
    }
  }

  /// Adds an element at the end of a list.
  func append(_ element: RouteNode) {
    elements[end] = element
    end += 1
  }

  /// Adds the elements of a list, or any other value itself.
  private func append(contentsOf value: RouteNode) {
    guard value.kind == .list else {
      append(value)
      return
    }
    for (index, element) in value.elements { elements[end + index] = element }
    end += value.end
  }

  /// Merges a value into another and returns the result, which may be a new value.
  ///
  /// - Parameter losses: Receives each text that the result does not have as a value.
  static func merge(
    _ source: RouteNode, into target: RouteNode, losses: inout [String]
  ) -> RouteNode {
    switch (target.kind, source.kind) {
    case (_, .text): return target.merge(text: source, losses: &losses)
    case (.text, _):
      let list = RouteNode(.list)
      list.append(target)
      list.append(contentsOf: source)
      return list
    case (.list, .list):
      for (index, element) in source.elements.sorted(by: { $0.key < $1.key }) {
        target.merge(element, at: index, losses: &losses)
      }
    case (.list, .object):
      target.kind = .object
      target.members = Dictionary(
        target.elements.map { (String($0), $1) }, uniquingKeysWith: { first, _ in first })
      target.elements = [:]
      fallthrough
    case (.object, _):
      for (index, element) in source.elements.sorted(by: { $0.key < $1.key }) {
        target.merge(element, named: String(index), losses: &losses)
      }
      for (name, member) in source.members.sorted(by: { $0.key < $1.key }) {
        target.merge(member, named: name, losses: &losses)
      }
    }
    return target
  }

  private func merge(text source: RouteNode, losses: inout [String]) -> RouteNode {
    if source.text.isEmpty {
      losses.append("")
      return self
    }
    switch kind {
    case .text:
      let list = RouteNode(.list)
      list.append(self)
      list.append(source)
      return list
    case .list: append(source)
    case .object:
      // `qs` makes a flag of the text.
      if let replaced = members[source.text] { losses.append(replaced.value.summary) }
      losses.append(source.text)
      members[source.text] = RouteNode(text: "true")
    }
    return self
  }

  private func merge(_ element: RouteNode, at index: Int, losses: inout [String]) {
    guard let present = elements[index] else {
      elements[index] = element
      end = max(end, index + 1)
      return
    }
    if present.kind == .text || element.kind == .text {
      append(element)
    } else {
      elements[index] = Self.merge(element, into: present, losses: &losses)
    }
  }

  private func merge(_ member: RouteNode, named name: String, losses: inout [String]) {
    if let present = members[name] {
      members[name] = Self.merge(member, into: present, losses: &losses)
    } else {
      members[name] = member
    }
  }
}
