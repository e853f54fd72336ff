package import InstantSearchJSON

extension JSON: JSONWritable {
  /// Writes the value with object members sorted by name; a number that is not finite, or whose
  /// text is none, as `null`.
  ///
  /// It is a loop with a stack of its own, because values may be nested deeper than a small
  /// thread's stack is.
  package func write(to writer: inout JSONWriter) { write(to: &writer, check: {}) }

  /// Writes the value, which may be long.
  ///
  /// - Parameter check: Called at least once for every few hundred values inside and comparisons of
  ///   their names; what it throws ends the writing.
  package func write(to writer: inout JSONWriter, check: () throws -> Void) rethrows {
    var open: [OpenContainer] = []
    var current = self
    var count = 0
    while true {
      count &+= 1
      if count & (OpenContainer.checkedSteps - 1) == 0 { try check() }
      if let container = try OpenContainer(current, check: check) {
        container.begin(&writer)
        open.append(container)
      } else {
        current.writeScalar(to: &writer)
      }
      // The next value is the next child of the innermost container that has one left.
      while true {
        guard !open.isEmpty else { return }
        if let child = open[open.count - 1].next(&writer) {
          current = child
          break
        }
        open.removeLast().end(&writer)
      }
    }
  }

  private func writeScalar(to writer: inout JSONWriter) {
    switch self {
    case .null, .array, .object: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .uint(let value): writer.int(value)
    case .double(let value):
      if value.isFinite { writer.double(value) } else { writer.null() }
    case .number(let text):
      let bytes = Array(text.utf8)
      if (try? JSONDocument(bytes))?.root.kind == .number {
        writer.raw(bytes)
      } else {
        writer.null()
      }
    case .string(let value): writer.string(value)
    }
  }
}

/// An array or an object some of whose children are written.
private enum OpenContainer {
  case array(IndexingIterator<[JSON]>)
  case object(IndexingIterator<[(key: String, value: JSON)]>)

  /// How many values and comparisons there are between two checks; a power of two.
  static let checkedSteps = 256

  /// Opens an array or an object; `nil` for a scalar.
  init?(_ json: JSON, check: () throws -> Void) rethrows {
    switch json {
    case .array(let elements): self = .array(elements.makeIterator())
    case .object(let members):
      var count = 0
      let sorted = try members.sorted { left, right in
        count &+= 1
        if count & (Self.checkedSteps - 1) == 0 { try check() }
        return left.key < right.key
      }
      self = .object(sorted.makeIterator())
    default: return nil
    }
  }

  func begin(_ writer: inout JSONWriter) {
    switch self {
    case .array: writer.beginArray()
    case .object: writer.beginObject()
    }
  }

  func end(_ writer: inout JSONWriter) {
    switch self {
    case .array: writer.endArray()
    case .object: writer.endObject()
    }
  }

  /// The next child, whose name is written already.
  mutating func next(_ writer: inout JSONWriter) -> JSON? {
    switch self {
    case .array(var iterator):
      defer { self = .array(iterator) }
      return iterator.next()
    case .object(var iterator):
      defer { self = .object(iterator) }
      guard let (key, value) = iterator.next() else { return nil }
      writer.key(key)
      return value
    }
  }
}
