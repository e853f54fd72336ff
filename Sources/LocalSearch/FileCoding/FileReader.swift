import InstantSearchAPI
import InstantSearchJSON

/// Reads the sections of a file.
struct FileReader: Sendable {
  private let file: any DiskFile
  /// Returns the cancellation check of the calling thread.
  private let makeCancellation: @Sendable () -> CancellationCheck
  /// The sections, in the order of the file.
  let sections: [FileFormat.Section]
  /// The version of the file.
  let version: UInt32

  /// Reads the table of a file.
  ///
  /// - Throws: ``FileProblem`` if it is not the file of an engine, is incomplete or is newer.
  init(_ file: any DiskFile, _ cancellation: CancellationCheck) throws {
    self.file = file
    makeCancellation = cancellation.makeForThreads()
    let size = try file.size()
    let header = try file.read(FileFormat.headerLength, at: 0)
    guard header.count == FileFormat.headerLength, header.starts(with: FileFormat.magic) else {
      throw FileProblem("it is not the file of an engine")
    }
    let version = LittleEndian.number(header[8..<12])
    guard version <= UInt64(FileFormat.version) else {
      throw FileProblem(
        "it has format \(version), and this version reads up to \(FileFormat.version); use a newer"
          + " version of the package")
    }
    self.version = UInt32(truncatingIfNeeded: version)
    let footerStart = size - FileFormat.footerLength
    guard footerStart >= FileFormat.headerLength else { throw FileProblem("it is incomplete") }
    let footer = try file.read(FileFormat.footerLength, at: footerStart)
    guard footer.count == FileFormat.footerLength, footer.suffix(8) == FileFormat.endMagic[...]
    else { throw FileProblem("it is incomplete") }
    guard Checksum.of(header + footer[..<24]) == LittleEndian.number(footer[24..<32]) else {
      throw FileProblem.damaged("its header or its footer has changed")
    }
    let (offset, count) = (LittleEndian.number(footer[..<8]), LittleEndian.number(footer[8..<16]))
    let length = UInt64(footerStart) &- offset
    guard offset <= UInt64(footerStart), count <= FileFormat.maximumSectionCount,
      length == count * UInt64(FileFormat.entryLength)
    else {
      throw FileProblem.damaged("its table has another size")
    }
    let table = try file.read(Int(length), at: Int(offset))
    guard Checksum.of(table) == LittleEndian.number(footer[16..<24]) else {
      throw FileProblem.damaged("its table has changed")
    }
    var end = UInt64(FileFormat.headerLength)
    sections = try stride(from: 0, to: table.count, by: FileFormat.entryLength).map { start in
      let (place, length) = (
        LittleEndian.number(table[start + 8..<start + 16]),
        LittleEndian.number(table[start + 16..<start + 24])
      )
      guard place >= end, place <= offset, length <= offset - place else {
        throw FileProblem.damaged("a section is outside of its part of the file")
      }
      end = place + length
      return FileFormat.Section(
        kind: UInt32(truncatingIfNeeded: LittleEndian.number(table[start..<start + 4])),
        offset: Int(place), length: Int(length),
        checksum: LittleEndian.number(table[start + 24..<start + 32]))
    }
  }

  /// Reads a section.
  ///
  /// - Throws: ``FileProblem`` if the section is of another kind or has changed.
  func section<Value>(
    _ number: Int, _ kind: FileFormat.Kind, _ read: (inout SectionReader) throws -> Value
  ) throws -> Value {
    guard sections.indices.contains(number), sections[number].kind == kind.rawValue else {
      throw FileProblem.damaged("the section \(number) is not of the kind \(kind)")
    }
    return try Self.read(file, sections[number], kind, makeCancellation(), read)
  }

  /// Reads a section of a file.
  static func read<Value>(
    _ file: any DiskFile, _ section: FileFormat.Section, _ kind: FileFormat.Kind,
    _ cancellation: CancellationCheck, _ read: (inout SectionReader) throws -> Value
  ) throws -> Value {
    var reader = SectionReader(file, section, kind, cancellation)
    do {
      let value = try read(&reader)
      try reader.finish()
      return value
    } catch let problem as FileProblem {
      // A change explains any other problem.
      _ = try reader.checkUnchanged()
      throw problem
    }
  }
}

/// Reads the values of a section in order.
///
/// A number of elements can't exceed the number of remaining bytes, so damaged bytes can't make it
/// take more memory than the file. The values count only when the checksum is known to be right.
struct SectionReader {
  private let file: any DiskFile
  private let kind: FileFormat.Kind
  let cancellation: CancellationCheck
  private let section: FileFormat.Section
  /// The number of bytes of the section that were read from the file.
  private var readCount = 0
  /// The bytes that were read and not used.
  private var piece: ArraySlice<UInt8> = []
  private var checksum = Checksum()

  fileprivate init(
    _ file: any DiskFile, _ section: FileFormat.Section, _ kind: FileFormat.Kind,
    _ cancellation: CancellationCheck
  ) {
    self.file = file
    self.section = section
    self.kind = kind
    self.cancellation = cancellation
  }

  /// The number of bytes that were not used.
  private var remaining: Int { section.length - readCount + piece.count }

  /// Throws a problem unless a condition holds.
  func check(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw FileProblem.damaged("\(what()), in a section of the kind \(kind)") }
  }

  /// Returns the next bytes, which are not more than remain.
  private mutating func bytes(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    // A sparse file claims more than it has.
    bytes.reserveCapacity(min(count, FileFormat.maximumReservation))
    while bytes.count < count { bytes += try next(count - bytes.count) }
    return bytes
  }

  /// Returns some of the next bytes.
  private mutating func next(_ count: Int) throws -> ArraySlice<UInt8> {
    if piece.isEmpty {
      let length = min(FileFormat.pieceLength, section.length - readCount)
      try check(length > 0, "it is too short")
      try cancellation.count(bytes: length)
      let bytes = try file.read(length, at: section.offset + readCount)
      try check(bytes.count == length, "the file ends in it")
      if section.checksum != nil { checksum.update(bytes[...]) }
      readCount += length
      piece = bytes[...]
    }
    let part = piece.prefix(count)
    piece = piece.dropFirst(part.count)
    return part
  }

  /// Checks that nothing remains, and that nothing has changed.
  fileprivate mutating func finish() throws {
    try check(try checkUnchanged() == 0, "it is too long")
  }

  /// Reads the rest of the section, and checks that nothing has changed.
  ///
  /// - Returns: The number of bytes that remained.
  fileprivate mutating func checkUnchanged() throws -> Int {
    let unused = remaining
    while readCount < section.length {
      piece = []
      _ = try next(1)
    }
    if let expected = section.checksum, checksum.value != expected {
      throw FileProblem.damaged("a section of the kind \(kind) has changed")
    }
    return unused
  }

  /// Reads a number.
  mutating func number() throws -> UInt64 {
    LittleEndian.number(try bytes(8)[...])
  }

  /// Reads a number that is not negative, and at most a limit.
  mutating func number(atMost limit: Int = .max) throws -> Int {
    let number = try number()
    try check(number <= UInt64(limit), "a number is too large")
    return Int(number)
  }

  /// Reads a truth value.
  mutating func bool() throws -> Bool { try number(atMost: 1) == 1 }

  /// Reads integers.
  ///
  /// - Parameter count: The number that they must have, or `nil`.
  mutating func array<Element: FixedWidthInteger>(
    of: Element.Type = Element.self, count expected: Int? = nil
  ) throws -> [Element] {
    FlatArray.elements(of: try bytes(width: MemoryLayout<Element>.size, count: expected))
  }

  /// Reads bytes.
  ///
  /// - Parameter count: The number that they must have, or `nil`.
  mutating func bytes(count: Int? = nil) throws -> [UInt8] { try bytes(width: 1, count: count) }

  /// Reads a number of elements, and the bytes of the elements.
  private mutating func bytes(width: Int, count expected: Int?) throws -> [UInt8] {
    let count = try number(atMost: remaining / width)
    try check(expected ?? count == count, "a list has another length")
    return try bytes(count * width)
  }

  /// Reads doubles.
  mutating func doubles(count: Int? = nil) throws -> [Double] {
    try cancellation.map(array(of: UInt64.self, count: count)) { Double(bitPattern: $0) }
  }

  /// Reads offsets of parts of a list, ascending from 0.
  mutating func offsets(count: Int? = nil) throws -> [Int] {
    let offsets: [UInt64] = try starts(count: count)
    try check(!offsets.isEmpty, "a list of offsets is empty")
    try check((offsets.last ?? 0) <= UInt64(Int.max), "an offset is too large")
    return offsets.map { Int($0) }
  }

  /// Reads where the parts of a list start, ascending from 0, and where the last one ends. May be
  /// empty.
  mutating func starts<Element: FixedWidthInteger>(count: Int? = nil) throws -> [Element] {
    let starts = try array(of: Element.self, count: count)
    var last: Element = 0
    for (index, start) in starts.enumerated() {
      try cancellation.count(element: index)
      try check(start >= last, "the parts of a list do not ascend")
      last = start
    }
    try check(starts.isEmpty || starts[0] == 0, "a list does not begin with 0")
    return starts
  }

  /// Reads integers, each less than a limit.
  mutating func array(below limit: Int, count: Int? = nil) throws -> [UInt32] {
    let numbers = try array(of: UInt32.self, count: count)
    try check(limit > UInt32.max || isEach(of: numbers, below: limit), "a number is too large")
    return numbers
  }

  /// Whether all integers are less than a limit.
  private func isEach(of numbers: [UInt32], below limit: Int) throws -> Bool {
    var largest: UInt32 = 0
    for start in stride(from: 0, to: numbers.count, by: FileFormat.pieceLength) {
      let part = numbers[start..<min(start + FileFormat.pieceLength, numbers.count)]
      try cancellation.count(bytes: part.count)
      for number in part { largest = max(largest, number) }
    }
    return numbers.isEmpty || Int(largest) < limit
  }

  /// Reads a text.
  mutating func text() throws -> String {
    String(decoding: try bytes(), as: UTF8.self)
  }

  /// Reads a value from JSON of the file. An error of `read` is damage.
  ///
  /// - Parameter name: The name of the value in the message.
  func value<Value>(
    of text: String, _ name: String, _ read: (JSONNode) throws -> Value
  ) throws -> Value {
    do {
      return try read(cancellation.stored(Array(text.utf8)[...]))
    } catch {
      try cancellation.check()
      throw FileProblem.damaged("\(name) cannot be read: \(error)")
    }
  }

  /// Reads texts.
  mutating func texts(count: Int? = nil) throws -> [String] {
    let ends = try array(of: UInt64.self, count: count)
    let bytes = try bytes()
    var texts: [String] = []
    texts.reserveCapacity(ends.count)
    var start = 0
    for end in ends {
      try check(end >= UInt64(start) && end <= UInt64(bytes.count), "texts do not ascend")
      try cancellation.count(bytes: Int(end) - start)
      texts.append(String(decoding: bytes[start..<Int(end)], as: UTF8.self))
      start = Int(end)
    }
    return texts
  }
}
