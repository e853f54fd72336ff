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
  private let node: JSONNode
  private let isObject: Bool
  private var next = 0
  private var key = ""
  private var elements: [Value] = []
  private var members: [String: Value] = [:]

  init(_ node: JSONNode) {
    self.node = node
    isObject = node.kind == .object
    if isObject {
      members.reserveCapacity(node.count)
    } else {
      elements.reserveCapacity(node.count)
    }
  }

  /// Goes to the next child that counts.
  mutating func nextChild() -> JSONNode? {
    guard isObject else {
      defer { next += 1 }
      return node[next]
    }
    let all = node.members
    while next < all.count {
      let member = all[next]
      next += 1
      if !member.isSuperseded {
        key = member.key
        return member.value
      }
    }
    return nil
  }

  /// Takes the value of the child that was gone to last.
  mutating func take(_ value: Value) {
    if isObject { members[key] = value } else { elements.append(value) }
  }

  func value(array: ([Value]) -> Value, object: ([String: Value]) -> Value) -> Value {
    isObject ? object(members) : array(elements)
  }
}
