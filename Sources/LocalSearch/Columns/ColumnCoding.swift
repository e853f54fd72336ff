import InstantSearchAPI

// The columns of a segment in a file. Bitmaps and trees are made again, because they take less time
// than reading them.

extension AttributeColumns {
  /// Writes the columns.
  func write(to writer: FileWriter) throws {
    try writer.write(texts: names)
    try writer.write(hasAllNames)
    try Self.write(facets, to: writer) { try $0.write(to: writer) }
    try Self.write(numbers, to: writer) { try $0.write(to: writer) }
    try Self.write(rankings, to: writer) { try $0.write(to: writer) }
    try writer.write(distinct != nil)
    try distinct?.write(to: writer)
    try geo.write(to: writer)
    // The tags are a facet, unless no record has any.
    try writer.write(facets["_tags"] == nil)
    if facets["_tags"] == nil { try tags.write(to: writer) }
  }

  /// Reads the columns of a number of documents.
  convenience init(from reader: inout SectionReader, count: Int) throws {
    let names = try reader.texts()
    let hasAllNames = try reader.bool()
    let facets = try Self.read(&reader) { try FacetColumn(from: &$0, count: count) }
    let numbers = try Self.read(&reader) { try NumericColumn(from: &$0, count: count) }
    let rankings = try Self.read(&reader) { try RankingColumn(from: &$0, count: count) }
    let distinct = try reader.bool() ? DistinctColumn(from: &reader, count: count) : nil
    let geo = try GeoColumn(from: &reader, count: count)
    let others = try reader.bool() ? FacetColumn(from: &reader, count: count) : nil
    guard let tags = others ?? facets["_tags"] else { throw FileProblem.damaged("it has no tags") }
    try self.init(
      count: count, names: names, hasAllNames: hasAllNames, facets: facets, numbers: numbers,
      rankings: rankings, tags: tags, distinct: distinct, geo: geo, reader.cancellation)
  }

  private static func write<Column>(
    _ columns: [String: Column], to writer: FileWriter, _ write: (Column) throws -> Void
  ) throws {
    // Sorted, so that equal indices have equal files.
    let columns = columns.sorted { $0.key < $1.key }
    try writer.write(texts: columns.map(\.key))
    for (_, column) in columns { try write(column) }
  }

  private static func read<Column>(
    _ reader: inout SectionReader, _ read: (inout SectionReader) throws -> Column
  ) throws -> [String: Column] {
    var columns: [String: Column] = [:]
    for name in try reader.texts() { columns[name] = try read(&reader) }
    return columns
  }
}

extension FacetColumn {
  fileprivate func write(to writer: FileWriter) throws {
    try writer.write(texts: values.map(\.text))
    try writer.write(values.map { $0.number ?? .nan })
    try writer.write(valueLists.allStarts(writer.cancellation))
    try writer.write(valueLists.allNumbers(writer.cancellation))
    try writer.write(texts: folded)
    try writer.write(foldedOrder)
    try writer.write(hasAmbiguousTexts)
  }

  fileprivate init(from reader: inout SectionReader, count: Int) throws {
    let texts = try reader.texts()
    let numbers = try reader.doubles(count: texts.count)
    let starts: [UInt32] = try reader.starts(count: count + 1)
    let listed = try reader.array(below: texts.count, count: starts.last.map(Int.init))
    try self.init(
      values: zip(texts, numbers).map { Value(text: $0, number: $1.isNaN ? nil : $1) },
      valueLists: (starts, listed),
      folded: reader.texts(count: texts.count),
      foldedOrder: reader.array(below: texts.count, count: texts.count),
      hasAmbiguousTexts: reader.bool(), count: count, reader.cancellation)
  }
}

extension NumericColumn {
  fileprivate func write(to writer: FileWriter) throws {
    try writer.write(numbers)
    try writer.write(documents)
  }

  fileprivate init(from reader: inout SectionReader, count: Int) throws {
    let numbers = try reader.doubles()
    try self.init(
      numbers: numbers, documents: reader.array(below: count, count: numbers.count), count: count,
      reader.cancellation)
  }
}

extension RankingColumn {
  /// The kinds of values in a mixed column.
  private enum Kind: UInt8 {
    case missing, no, yes, number, text
  }

  fileprivate func write(to writer: FileWriter) throws {
    switch storage {
    case .numbers(let numbers):
      try writer.write(true)
      try writer.write(numbers)
    case .mixed(let values):
      try writer.write(false)
      var (kinds, numbers, ends, bytes) = ([UInt8](), [Double](), [Int](), [UInt8]())
      for value in values {
        var kind = Kind.missing
        switch value {
        case .missing: break
        case .bool(let bool): kind = bool ? .yes : .no
        case .number(let number):
          kind = .number
          numbers.append(number)
        case .string(let text):
          kind = .text
          ends.append(bytes.count)
          bytes += text
        }
        kinds.append(kind.rawValue)
      }
      try writer.write(bytes: kinds)
      try writer.write(numbers)
      try writer.write(offsets: ends + [bytes.count])
      try writer.write(bytes: bytes)
    }
  }

  fileprivate init(from reader: inout SectionReader, count: Int) throws {
    if try reader.bool() {
      self.init(.numbers(try reader.doubles(count: count)))
      return
    }
    let kinds = try reader.bytes(count: count)
    var numbers = try reader.doubles()[...]
    var offsets = try reader.offsets()[...]
    let bytes = try reader.bytes()
    try reader.check(offsets.last == bytes.count, "texts end elsewhere")
    var values: [RankingValue] = []
    values.reserveCapacity(count)
    for kind in kinds {
      try reader.cancellation.count()
      switch Kind(rawValue: kind) {
      case .missing: values.append(.missing)
      case .no: values.append(.bool(false))
      case .yes: values.append(.bool(true))
      case .number:
        guard let number = numbers.popFirst() else {
          throw FileProblem.damaged("a value is missing its number")
        }
        values.append(.number(number))
      case .text:
        guard let start = offsets.popFirst(), let end = offsets.first else {
          throw FileProblem.damaged("a value is missing its text")
        }
        values.append(.string(Array(bytes[start..<end])))
      case nil: throw FileProblem.damaged("a value has an unknown kind")
      }
    }
    self.init(.mixed(values))
  }
}

extension DistinctColumn {
  fileprivate func write(to writer: FileWriter) throws {
    try writer.write(texts: values)
    try writer.write(numbers)
  }

  fileprivate init(from reader: inout SectionReader, count: Int) throws {
    let values = try reader.texts()
    let numbers = try reader.array(of: Int32.self, count: count)
    for (index, number) in numbers.enumerated() {
      try reader.cancellation.count(element: index)
      try reader.check(number >= -1 && Int(number) < values.count, "a group is unknown")
    }
    self.init(values: values, numbers: numbers)
  }
}

extension GeoColumn {
  fileprivate func write(to writer: FileWriter) throws {
    try writer.write(starts)
    try writer.write(points.map(\.latitude))
    try writer.write(points.map(\.longitude))
    try writer.write(cells)
    try writer.write(cellPoints)
    try writer.write(cellDocuments)
  }

  fileprivate init(from reader: inout SectionReader, count: Int) throws {
    let starts: [UInt32] = try reader.starts()
    try reader.check(starts.isEmpty || starts.count == count + 1, "points of other documents")
    let latitudes = try reader.doubles(count: starts.last.map(Int.init) ?? 0)
    let longitudes = try reader.doubles(count: latitudes.count)
    let points = zip(latitudes, longitudes).map { Point(latitude: $0, longitude: $1) }
    try reader.check(points.allSatisfy(\.isValid), "a point is out of range")
    self.init(
      starts: starts, points: points, cells: try reader.array(count: points.count),
      cellPoints: try reader.array(below: points.count, count: points.count),
      cellDocuments: try reader.array(below: count, count: points.count))
  }
}
