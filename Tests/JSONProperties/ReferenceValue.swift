/// A JSON value as ``ReferenceReader`` reads it and as tests make it up.
package struct ReferenceValue: Sendable {
  /// What the value is.
  package enum Content: Sendable {
    case null
    case bool(Bool)
    /// The number as it was written.
    case number(String)
    /// The text's UTF-8, for strings count as equal under normalisation.
    case string([UInt8])
    case array([ReferenceValue])
    /// The members in the order of the text, repeated keys included.
    case object([Member])
  }

  /// One member of an object.
  package struct Member: Sendable {
    /// The key's UTF-8, escapes resolved.
    package var key: [UInt8]
    /// The bytes of the key, quotes included.
    package var keyRange: Range<Int>
    package var value: ReferenceValue

    /// Creates a member that stands nowhere.
    package init(_ key: String, _ value: ReferenceValue) {
      self.init(key: Array(key.utf8), keyRange: 0..<0, value: value)
    }

    init(key: [UInt8], keyRange: Range<Int>, value: ReferenceValue) {
      self.key = key
      self.keyRange = keyRange
      self.value = value
    }

    /// The key as a string.
    package var name: String { String(decoding: key, as: UTF8.self) }
  }

  package var content: Content
  /// The bytes of the value, quotes and brackets included.
  package var range: Range<Int>

  /// Creates a value, which stands nowhere by default.
  package init(_ content: Content, range: Range<Int> = 0..<0) {
    self.content = content
    self.range = range
  }

  /// The children with the step that leads to each.
  package var children: [(step: String, value: ReferenceValue)] {
    switch content {
    case .array(let elements):
      elements.enumerated().map { ("Index \($0)", $1) }
    case .object(let members): members.map { ($0.name, $0.value) }
    default: []
    }
  }

  /// The value itself and everything inside it, outer values first.
  package var all: [ReferenceValue] {
    var all: [ReferenceValue] = []
    var open = [self]
    while let value = open.popLast() {
      all.append(value)
      open += value.children.map(\.value)
    }
    return all
  }

  /// The members of an object without those whose key a later member repeats.
  package var currentMembers: [Member] {
    guard case .object(let members) = content else { return [] }
    var last: [[UInt8]: Int] = [:]
    for (index, member) in members.enumerated() { last[member.key] = index }
    return members.enumerated().filter { last[$1.key] == $0 }.map(\.element)
  }

  /// The same value without any member whose key a later one repeats.
  package var withoutRepetitions: ReferenceValue {
    var copy = self
    switch content {
    case .array(let elements): copy.content = .array(elements.map(\.withoutRepetitions))
    case .object:
      copy.content = .object(
        currentMembers.map {
          Member(key: $0.key, keyRange: $0.keyRange, value: $0.value.withoutRepetitions)
        })
    default: break
    }
    return copy
  }
}
