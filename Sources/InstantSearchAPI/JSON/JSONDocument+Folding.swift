package import InstantSearchJSON

/// The result of a folding step for one JSON value.
enum FoldingStep<Value> {
  /// This value, without visiting its children.
  case value(Value)
  /// An array or an object of the results for its children.
  case branch
  /// Nothing: the element or the member is skipped.
  case nothing
}

extension JSONDocument {
  /// The depth to which a tree can be read recursively on the stack of a small thread.
  static var recursionLimit: Int { 16 }

  /// Builds a tree of values from the leaves up.
  ///
  /// It is a loop with explicit stacks, because a document can be nested deeper than a small
  /// thread's stack allows. For many flat trees, recursion up to ``recursionLimit`` is faster.
  ///
  /// - Parameters:
  ///   - index: The outermost value.
  ///   - maximumDepth: The maximum number of nested branches. Deeper ones are skipped.
  ///   - step: Returns what to make of the value at an index. For a scalar, `branch` is an empty
  ///     array.
  ///   - array: Creates a value from an array's elements.
  ///   - object: Creates a value from an object's members.
  /// - Returns: The value for the index; `nil` if `step` skipped it.
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
      // The next child of the innermost branch that has one. Branches without more are finished.
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

/// An array or an object whose children are being built.
private struct OpenBranch {
  let index: Int
  let isObject: Bool
  /// The number of values that were finished before the first child.
  let firstValue: Int
  private var children: JSONChildren

  @inline(__always)
  init(at index: Int, in document: JSONDocument, firstValue: Int) {
    self.index = index
    self.firstValue = firstValue
    isObject = document.kind(at: index) == .object
    children = isObject ? document.members(at: index) : document.elements(at: index)
  }

  /// Advances to the next child that is not skipped.
  @inline(__always)
  mutating func nextChild(in document: JSONDocument) -> Int? {
    isObject ? children.next(in: document) : children.nextElement(in: document)
  }
}

/// The finished values whose parent branches are not finished.
private struct FinishedValues<Value> {
  private var values: [Value] = []
  /// The tape index of each value.
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

extension JSONDocument {
  /// Returns all members of an object by key, each read once.
  ///
  /// - Parameters:
  ///   - index: The object.
  ///   - numbers: The key numbers of the object from ``ObjectShapes``, which avoid hashing each
  ///     key.
  ///   - value: Returns the value of the member at an index.
  func members<Value>(
    ofObjectAt index: Int, numbers: [String: Int]?, _ value: (_ index: Int) -> Value
  ) -> [String: Value] {
    guard let numbers else {
      var members = [String: Value](minimumCapacity: count(at: index))
      forEachMember(ofObjectAt: index) { members[key(of: $0)] = value($0) }
      return members
    }
    // With few members, walking to each one is as fast as storing all of their indices.
    var indices: [Int] = []
    if numbers.count > 8 {
      indices.reserveCapacity(numbers.count)
      forEachMember(ofObjectAt: index) { indices.append($0) }
    }
    return numbers.mapValues { number in
      // There are as many members as numbers, so each number belongs to a member.
      value(indices.isEmpty ? member(number, ofObjectAt: index) ?? index : indices[number])
    }
  }
}

extension JSONKeys {
  /// Creates a set of keys from the cases of an enumeration, each of which occurs once.
  ///
  /// The raw values of the cases, counted from 0, are the numbers of the keys. Lookup is fastest
  /// if they are in the most common order of the members.
  init<Member: RawRepresentable<Int>>(_ names: KeyValuePairs<Member, String>) {
    self.init(names.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value))
  }
}

extension JSONFoundMembers {
  /// The index of a member's value; `nil` if the object has no such member.
  subscript<Member: RawRepresentable<Int>>(member: Member) -> Int? { self[member.rawValue] }
}

extension JSONNode {
  /// Creates the error for a value that a type cannot be read from.
  package func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "expected \(type), found \(kind)")
    return isNull
      ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
  }

  /// Returns the text of a required member.
  package func text(_ key: String) throws -> String {
    let member = try required(key)
    guard let text = member.string else { throw member.mismatch(String.self) }
    return text
  }

  /// Returns the number of a required member.
  package func number(_ key: String) throws -> Double {
    let member = try required(key)
    guard let number = member.double else { throw member.mismatch(Double.self) }
    return number
  }

  /// Returns a required member.
  package func required(_ key: String) throws -> JSONNode {
    guard kind == .object else { throw mismatch([String: Any].self) }
    guard let member = self[key] else {
      throw DecodingError.keyNotFound(
        AnyKey(key),
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "the member \(key) is missing"))
    }
    return member
  }
}
