import InstantSearchJSON

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
  /// How deep a tree may be read by recursion without going beyond the stack of a small thread.
  static var recursionLimit: Int { 16 }

  /// Makes a tree of values from the leaves up.
  ///
  /// It is a loop with stacks of its own: a document may be nested deeper than a small thread's
  /// stack is. Where trees are many and flat, recursion is faster, up to ``recursionLimit``.
  ///
  /// - Parameters:
  ///   - index: The outermost value.
  ///   - maximumDepth: How many branches may be nested; those deeper inside are left out.
  ///   - step: What becomes of the value at an index; for a scalar `branch` is an empty array.
  ///   - array: Makes a value of an array's elements.
  ///   - object: Makes a value of an object's members.
  /// - Returns: The value at the index; `nil` when the step left it out.
  @inline(__always)
  func folded<Value>(
    at index: Int, maximumDepth: Int = .max,
    step: (Int) throws -> FoldingStep<Value>,
    array: ([Value]) -> Value,
    object: ([String: Value]) -> Value
  ) rethrows -> Value? {
    var done = FinishedValues<Value>()
    var open: [OpenBranch] = []
    var current = index
    while true {
      switch try step(current) {
      case .value(let value): done.append(value, at: current)
      case .nothing: break
      case .branch where open.count >= maximumDepth: break
      case .branch:
        open.append(OpenBranch(at: current, in: self, firstValue: done.count))
      }
      // The next child of the innermost branch that has one; the branches without are finished.
      while true {
        guard let last = open.indices.last else { return done.takeLast() }
        if let child = open[last].nextChild(in: self) {
          current = child
          break
        }
        let branch = open.removeLast()
        let value =
          branch.isObject
          ? object(done.takeMembers(of: branch, in: self)) : array(done.takeElements(of: branch))
        done.append(value, at: branch.index)
      }
    }
  }
}

/// An array or an object whose children are being made.
private struct OpenBranch {
  let index: Int
  let isObject: Bool
  /// How many values were finished before the first child.
  let firstValue: Int
  private var children: JSONChildren

  @inline(__always)
  init(at index: Int, in document: JSONDocument, firstValue: Int) {
    self.index = index
    self.firstValue = firstValue
    isObject = document.kind(at: index) == .object
    children = isObject ? document.members(at: index) : document.elements(at: index)
  }

  /// Goes to the next child that counts.
  @inline(__always)
  mutating func nextChild(in document: JSONDocument) -> Int? {
    isObject ? children.next(in: document) : children.nextElement(in: document)
  }
}

/// The values that are finished while the branches they belong to are not.
private struct FinishedValues<Value> {
  private var values: [Value] = []
  /// Where each stands on the tape.
  private var indices: [Int] = []

  var count: Int { values.count }

  @inline(__always)
  mutating func append(_ value: Value, at index: Int) {
    values.append(value)
    indices.append(index)
  }

  mutating func takeLast() -> Value? {
    indices.removeAll()
    return values.popLast()
  }

  @inline(__always)
  mutating func takeElements(of branch: OpenBranch) -> [Value] {
    let elements = Array(values[branch.firstValue...])
    removeChildren(of: branch)
    return elements
  }

  @inline(__always)
  mutating func takeMembers(
    of branch: OpenBranch, in document: JSONDocument
  ) -> [String: Value] {
    var members = [String: Value](minimumCapacity: values.count - branch.firstValue)
    for position in branch.firstValue..<values.count {
      members[document.key(of: indices[position])] = values[position]
    }
    removeChildren(of: branch)
    return members
  }

  private mutating func removeChildren(of branch: OpenBranch) {
    values.removeSubrange(branch.firstValue...)
    indices.removeSubrange(branch.firstValue...)
  }
}
