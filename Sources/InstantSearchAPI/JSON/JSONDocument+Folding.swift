package import InstantSearchJSON

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

extension JSONDocument {
  /// All members of an object by key, each read once.
  ///
  /// - Parameters:
  ///   - index: The object.
  ///   - numbers: What ``ObjectShapes`` knows of the object; with it no key is hashed.
  ///   - value: The value of the member at an index.
  func members<Value>(
    ofObjectAt index: Int, numbers: [String: Int]?, _ value: (_ index: Int) -> Value
  ) -> [String: Value] {
    guard let numbers else {
      var members = [String: Value](minimumCapacity: count(at: index))
      forEachMember(ofObjectAt: index) { members[key(of: $0)] = value($0) }
      return members
    }
    // With few members, going to each from the first is as fast as keeping the places of all.
    var places: [Int] = []
    if numbers.count > 8 {
      places.reserveCapacity(numbers.count)
      forEachMember(ofObjectAt: index) { places.append($0) }
    }
    return numbers.mapValues { number in
      // There are as many members as numbers, so each number is that of a member.
      value(places.isEmpty ? member(number, ofObjectAt: index) ?? index : places[number])
    }
  }
}

extension JSONKeys {
  /// Creates the set of keys that the cases of an enumeration stand for, of which each is there
  /// once.
  ///
  /// The raw values of the cases, counted from 0, are the numbers of the keys: in the order in
  /// which they mostly come, the keys are found fastest.
  init<Member: RawRepresentable<Int>>(_ names: KeyValuePairs<Member, String>) {
    self.init(names.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value))
  }
}

extension JSONFoundMembers {
  /// The index of a member's value; `nil` when the object has no such member.
  subscript<Member: RawRepresentable<Int>>(member: Member) -> Int? { self[member.rawValue] }
}

extension JSONNode {
  /// The error for a value that is not what a type is read from.
  package func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "expected \(type), found \(kind)")
    return isNull
      ? DecodingError.valueNotFound(type, context) : DecodingError.typeMismatch(type, context)
  }

  /// The text of a member that must be there.
  package func text(_ key: String) throws -> String {
    let member = try required(key)
    guard let text = member.string else { throw member.mismatch(String.self) }
    return text
  }

  /// The number of a member that must be there.
  package func number(_ key: String) throws -> Double {
    let member = try required(key)
    guard let number = member.double else { throw member.mismatch(Double.self) }
    return number
  }

  /// A member that must be there.
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
