import SearchJSON

/// What becomes of a node when a tree of values is made of it.
enum FoldingStep<Value> {
  /// This value, whatever is inside the node.
  case value(Value)
  /// An array or an object of what is inside the node.
  case branch
  /// Nothing: the element or the member is left out.
  case nothing
}

extension JSONNode {
  /// Makes a tree of values from the leaves up.
  ///
  /// It is a loop with a stack of its own: a document may be nested deeper than a small thread's
  /// stack is.
  ///
  /// - Parameters:
  ///   - step: What becomes of each node; for a scalar `branch` is an empty array.
  ///   - array: Makes a value of an array's elements.
  ///   - object: Makes a value of an object's members.
  /// - Returns: The value of this node; `nil` when the step left it out.
  func folded<Value>(
    step: (JSONNode) throws -> FoldingStep<Value>,
    array: ([Value]) -> Value,
    object: ([String: Value]) -> Value
  ) rethrows -> Value? {
    var open: [OpenBranch<Value>] = []
    var current = self
    while true {
      var finished: Value?
      switch try step(current) {
      case .value(let value): finished = value
      case .nothing: finished = nil
      case .branch:
        open.append(OpenBranch(current))
        if let child = open[open.count - 1].nextChild() {
          current = child
          continue
        }
        finished = open.removeLast().value(array: array, object: object)
      }
      // What is finished goes up until a branch has another child.
      while true {
        guard !open.isEmpty else { return finished }
        if let finished { open[open.count - 1].take(finished) }
        if let child = open[open.count - 1].nextChild() {
          current = child
          break
        }
        finished = open.removeLast().value(array: array, object: object)
      }
    }
  }
}

/// An array or an object whose children are being made.
private struct OpenBranch<Value> {
  private let document: JSONDocument
  private let isObject: Bool
  private var children: JSONChildren
  private var key = ""
  private var elements: [Value] = []
  private var members: [String: Value] = [:]

  init(_ node: JSONNode) {
    document = node.document
    isObject = node.kind == .object
    if isObject {
      children = document.members(at: node.index)
      members.reserveCapacity(node.count)
    } else {
      children = document.elements(at: node.index)
      elements.reserveCapacity(node.count)
    }
  }

  /// Goes to the next child that counts.
  mutating func nextChild() -> JSONNode? {
    let child: Int?
    if isObject {
      child = children.next(in: document)
      if let child { key = document.key(of: child) }
    } else {
      child = children.nextElement(in: document)
    }
    return child.map { JSONNode(document: document, index: $0) }
  }

  /// Takes the value of the child that was gone to last.
  mutating func take(_ value: Value) {
    if isObject { members[key] = value } else { elements.append(value) }
  }

  func value(array: ([Value]) -> Value, object: ([String: Value]) -> Value) -> Value {
    isObject ? object(members) : array(elements)
  }
}
