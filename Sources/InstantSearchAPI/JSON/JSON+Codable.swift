package import InstantSearchJSON

extension JSON: Decodable {
  /// Reads any JSON value, from any decoder.
  public init(from decoder: any Decoder) throws {
    if let location = DecodingSession.location(of: decoder) {
      self.init(at: location.index, of: location.session.document)
      return
    }
    // Containers other than the single-value one would apply a key strategy to data.
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      let zero = value == 0 ? try? container.decode(Double.self) : nil
      self = zero?.sign == .minus ? .double(-0.0) : .int(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .uint(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }
}

extension JSON: Encodable {
  /// Writes the value to any encoder. Member names are unchanged, regardless of the key strategy.
  public func encode(to encoder: any Encoder) throws {
    // The keys of a dictionary in a single value are data. A keyed container would convert them.
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .uint(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .number(let text):
      guard let value = doubleValue else {
        throw EncodingError.invalidValue(
          self,
          EncodingError.Context(
            codingPath: encoder.codingPath,
            debugDescription: "the number \(text.prefix(100)) is too large"))
      }
      try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}

extension JSON: JSONNodeDecodable {
  /// Reads any JSON value. Member names are unchanged, regardless of the key strategy.
  package init(node: JSONNode, options: JSONDecodingOptions) {
    self.init(node: node)
  }

  /// Reads any JSON value.
  package init(node: JSONNode) {
    self.init(at: node.index, of: node.document)
  }

  /// Reads the value at an index.
  init(at index: Int, of document: JSONDocument) {
    var shapes = ObjectShapes()
    self.init(at: index, of: document, shapes: &shapes, depth: 0)
  }

  private init(
    at index: Int, of document: JSONDocument, shapes: inout ObjectShapes, depth: Int
  ) {
    if let scalar = JSON(scalarAt: index, of: document) {
      self = scalar
    } else if depth == JSONDocument.recursionLimit {
      self = Self.deep(at: index, of: document)
    } else if case .array = document.kind(at: index) {
      var values: [JSON] = []
      values.reserveCapacity(document.count(at: index))
      var elements = document.elements(at: index)
      while let element = elements.nextElement(in: document) {
        values.append(JSON(at: element, of: document, shapes: &shapes, depth: depth + 1))
      }
      self = .array(values)
    } else {
      let numbers = shapes.numbers(ofObjectAt: index, in: document)
      self = .object(
        document.members(ofObjectAt: index, numbers: numbers) {
          JSON(at: $0, of: document, shapes: &shapes, depth: depth + 1)
        })
    }
  }

  /// Reads a value that is nested deeper than the limit for recursion.
  @inline(never)
  private static func deep(at index: Int, of document: JSONDocument) -> JSON {
    let value = document.folded(
      at: index,
      step: { index in JSON(scalarAt: index, of: document).map(FoldingStep.value) ?? .branch },
      array: JSON.array, object: JSON.object)
    return value ?? .null
  }

  /// Reads a scalar; `nil` for an array and for an object.
  private init?(scalarAt index: Int, of document: JSONDocument) {
    switch document.kind(at: index) {
    case .null: self = .null
    case .bool: self = .bool(document.bool(at: index) ?? false)
    case .number: self.init(numberAt: index, of: document)
    case .string: self = .string(document.string(at: index) ?? "")
    case .array, .object: return nil
    }
  }

  private init(numberAt index: Int, of document: JSONDocument) {
    if document.isWrittenAsInteger(at: index) {
      if let value = document.int64(at: index) {
        self = value == 0 && document.numberText(at: index) == "-0" ? .double(-0.0) : .int(value)
      } else if let value = document.uint64(at: index) {
        self = .uint(value)
      } else {
        self = .number(document.numberText(at: index) ?? "")
      }
      return
    }
    guard let value = document.double(at: index) else {
      self = .number(document.numberText(at: index) ?? "")
      return
    }
    // Beyond 2⁵³ one double represents several integers, and its shortest text another of them. No
    // integer has the sign of a negative zero.
    if value.rounded(.towardZero) == value, value.magnitude <= 0x1p53,
      !(value == 0 && value.sign == .minus), let integer = document.int64(at: index)
    {
      self = .int(integer)
    } else {
      self = .double(value)
    }
  }
}

extension JSON: JSONWritable {
  /// Writes the value with object members sorted by name. A number that is not finite, or whose
  /// text is not a number, is written as `null`.
  ///
  /// It is a loop with an explicit stack, because values can be nested deeper than a small
  /// thread's stack allows.
  package func write(to writer: inout JSONWriter) { write(to: &writer, check: {}) }

  /// Writes a value that may be long.
  ///
  /// - Parameter check: Runs at least once per few hundred values and comparisons of names. An
  ///   error that it throws ends the writing.
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
      // The next value is the next child of the innermost container with remaining children.
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

/// An array or an object some of whose children have been written.
private enum OpenContainer {
  case array(IndexingIterator<[JSON]>)
  case object(IndexingIterator<[(key: String, value: JSON)]>)

  /// The number of values and comparisons between two checks, a power of two.
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

  /// Returns the next child, after writing its name.
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

extension Encoder {
  /// Writes the JSON that a closure makes.
  package func write(_ write: (inout JSONWriter) -> Void) throws {
    var writer = JSONWriter()
    write(&writer)
    try JSON(parsing: writer.bytes).encode(to: self)
  }
}
