import SearchJSON

/// What becomes of a value when a tree is made of it.
enum FoldingStep<Value> {
  /// This value, whatever is inside.
  case value(Value)
  /// An array or an object of what is inside.
  case branch
  /// Nothing: the element or the member is left out.
  case nothing
}

extension JSONDocument {
  /// Makes a tree of values from the leaves up.
  ///
  /// It is a loop with a stack of its own: a document may be nested deeper than a small thread's
  /// stack is.
  ///
  /// - Parameters:
  ///   - index: The outermost value.
  ///   - step: What becomes of the value at an index; for a scalar `branch` is an empty array.
  ///   - array: Makes a value of an array's elements.
  ///   - object: Makes a value of an object's members.
  /// - Returns: The value at the index; `nil` when the step left it out.
  @inline(__always)
  func folded<Value>(
    at index: Int,
    step: (Int) throws -> FoldingStep<Value>,
    array: ([Value]) -> Value,
    object: ([String: Value]) -> Value
  ) rethrows -> Value? {
    var open: [OpenBranch<Value>] = []
    var current = index
    while true {
      var finished: Value?
      switch try step(current) {
      case .value(let value): finished = value
      case .nothing: finished = nil
      case .branch:
        open.append(OpenBranch(at: current, in: self))
        if let child = open[open.count - 1].nextChild(in: self) {
          current = child
          continue
        }
        finished = open.removeLast().value(array: array, object: object)
      }
      // What is finished goes up until a branch has another child.
      while true {
        guard !open.isEmpty else { return finished }
        if let finished { open[open.count - 1].take(finished) }
        if let child = open[open.count - 1].nextChild(in: self) {
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
  private let isObject: Bool
  private var children: JSONChildren
  private var key = ""
  private var elements: [Value] = []
  private var members: [String: Value] = [:]

  init(at index: Int, in document: JSONDocument) {
    isObject = document.kind(at: index) == .object
    if isObject {
      children = document.members(at: index)
      members.reserveCapacity(document.count(at: index))
    } else {
      children = document.elements(at: index)
      elements.reserveCapacity(document.count(at: index))
    }
  }

  /// Goes to the next child that counts.
  mutating func nextChild(in document: JSONDocument) -> Int? {
    guard isObject else { return children.nextElement(in: document) }
    let child = children.next(in: document)
    if let child { key = document.key(of: child) }
    return child
  }

  /// Takes the value of the child that was gone to last.
  mutating func take(_ value: Value) {
    if isObject { members[key] = value } else { elements.append(value) }
  }

  func value(array: ([Value]) -> Value, object: ([String: Value]) -> Value) -> Value {
    isObject ? object(members) : array(elements)
  }
}
