/// The encoder of one value. It records the kind of the value.
///
/// A repeated request for `container(keyedBy:)`, for example by a superclass, continues the same
/// object.
final class EncodingNode: Encoder {
  enum State {
    /// Nothing was encoded yet.
    case empty
    case object, array
    /// A single value was encoded, or the container is closed.
    case complete
  }

  /// A member that has begun.
  struct Member {
    var name: String
    /// Its offset in the sink, including its comma.
    var start: Int
  }

  let session: EncodingSession
  let sink: EncodingSink
  private let parent: EncodingNode?
  private let key: (any CodingKey)?
  private(set) var state = State.empty
  /// The number of encoded elements.
  private(set) var count = 0
  /// The object's offset in the sink.
  private(set) var start = 0
  /// The number of insertions in the sink before the object.
  private(set) var firstInsertion = 0
  var members: [Member] = []
  /// Whether the members are sorted by name when the object is closed.
  var sortsMembers = false
  /// The requested containers of members by name. A repeated request continues them.
  private var nested: [String: EncodingNode] = [:]

  init(
    session: EncodingSession, sink: EncodingSink, parent: EncodingNode? = nil,
    key: (any CodingKey)? = nil
  ) {
    self.session = session
    self.sink = sink
    self.parent = parent
    self.key = key
  }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var node: EncodingNode? = self
    while let current = node {
      if let key = current.key { path.append(key) }
      node = current.parent
    }
    return path.reversed()
  }

  var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedEncodingNodeContainer<Key>(node: object()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedEncodingNodeContainer(node: array())
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  // MARK: - Opening and closing

  /// Opens the object, or continues it.
  func object() -> EncodingNode {
    switch state {
    case .object: return self
    case .empty:
      start = sink.writer.count
      firstInsertion = sink.insertions.count
      sink.writer.beginObject()
      state = .object
      return self
    default: return misused("a keyed container").object()
    }
  }

  /// Opens the array, or continues it.
  func array() -> EncodingNode {
    switch state {
    case .array: return self
    case .empty:
      sink.writer.beginArray()
      state = .array
      return self
    default: return misused("an unkeyed container").array()
    }
  }

  /// Records the misuse, and returns a node whose bytes are ignored.
  private func misused(_ wanted: String) -> EncodingNode {
    session.failure =
      session.failure
      ?? .invalidValue(
        wanted,
        EncodingError.Context(
          codingPath: codingPath,
          debugDescription: "Cannot get \(wanted): a value of another kind was encoded here."))
    return EncodingNode(session: session, sink: EncodingSink(), parent: parent, key: key)
  }

  /// Closes the container. A value that encoded nothing becomes an empty object.
  func finish() {
    switch state {
    case .empty:
      sink.writer.beginObject()
      sink.writer.endObject()
    case .object:
      sink.writer.endObject()
      arrangeMembers()
    case .array: sink.writer.endArray()
    case .complete: return
    }
    state = .complete
  }

  // MARK: - Children

  /// Begins a member of the object with a final name.
  func beginMember(_ name: String) throws {
    guard state == .object else { throw closed() }
    try session.countValue()
    if !nested.isEmpty { nested[name] = nil }
    members.append(Member(name: name, start: sink.writer.count))
    sink.writer.key(name)
  }

  /// Begins an element of the array and returns its key.
  func beginElement() throws -> JSONCodingKey {
    guard state == .array else { throw closed() }
    try session.countValue()
    count += 1
    return JSONCodingKey(index: count - 1)
  }

  /// Begins a single value. Throws if there is one already.
  func beginSingleValue() throws {
    guard state == .empty else { throw closed() }
    state = .complete
  }

  /// Runs a step that encodes one value. If it throws, everything it wrote is removed, so that user
  /// code that ignores the error produces valid JSON without the value.
  func undoingOnError(_ step: () throws -> Void) throws {
    let mark = sink.writer.mark
    let insertions = sink.insertions.count
    let (state, count, members) = (state, count, members.count)
    do {
      try step()
    } catch {
      sink.writer.rewind(to: mark)
      sink.insertions.removeSubrange(min(insertions, sink.insertions.count)...)
      self.members.removeSubrange(min(members, self.members.count)...)
      self.state = state
      self.count = count
      throw error
    }
  }

  private func closed() -> EncodingError {
    .invalidValue(
      "a value",
      EncodingError.Context(
        codingPath: codingPath,
        debugDescription: "Cannot encode another value: this one is complete."))
  }

  /// Creates a node for a value that can be encoded at any later time.
  func insertedChild(key: any CodingKey) -> EncodingNode {
    let child = EncodingNode(session: session, sink: EncodingSink(), parent: self, key: key)
    sink.insert(child)
    session.parents.append(self)
    return child
  }

  /// Releases the nodes inside, which refer to this one, at the end of the call.
  func forgetChildren() {
    nested.removeAll()
    sink.insertions.removeAll()
  }

  /// A node for a member that can be encoded later. Repeated requests for a key return the same
  /// node.
  func insertedMember(_ key: some CodingKey) -> EncodingNode {
    let name = session.options.keys.name(of: key)
    if let child = nested[name] { return child }
    do {
      try beginMember(name)
    } catch {
      session.failure = session.failure ?? (error as? EncodingError)
      return EncodingNode(session: session, sink: EncodingSink(), parent: self, key: key)
    }
    let child = insertedChild(key: key)
    nested[name] = child
    return child
  }

  /// A node for an element that can be encoded later.
  func insertedElement() -> EncodingNode {
    do {
      return insertedChild(key: try beginElement())
    } catch {
      session.failure = session.failure ?? (error as? EncodingError)
      return EncodingNode(session: session, sink: EncodingSink(), parent: self)
    }
  }
}

extension EncodingNode: SingleValueEncodingContainer {
  func encodeNil() throws {
    try beginSingleValue()
    sink.writer.null()
  }

  func encode(_ value: Bool) throws {
    try beginSingleValue()
    sink.writer.bool(value)
  }

  func encode(_ value: String) throws {
    try beginSingleValue()
    sink.writer.string(value)
  }

  func encode(_ value: Double) throws {
    try undoingOnError {
      try beginSingleValue()
      try writeFloat(value, key: nil)
    }
  }

  func encode(_ value: Float) throws {
    try undoingOnError {
      try beginSingleValue()
      try writeFloat(value, key: nil)
    }
  }

  func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: Int128) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: UInt128) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode<T: Encodable>(_ value: T) throws {
    try undoingOnError {
      try beginSingleValue()
      try encodeValue(value, key: nil)
    }
  }
}
