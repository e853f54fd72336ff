import InstantSearchAPI

/// The writes since a file was saved, each as one entry.
///
///     header  magic (8), version (4), 0 (4), number (8), checksum of these (8)
///     entry   mark (8), position (8), length (8), checksum (8), contents,
///             end mark (8), position (8)
///
/// Numbers are little-endian. The position of an entry counts from 0. The checksum is that of the
/// position, the length and the contents.
///
/// The end is written when the entry is on the disk. An entry that a crash or a full disk left
/// incomplete has no end, is the last one, and was not acknowledged. Anything else that is not an
/// entry is damage. Only a journal that was cut cannot be told from one that ends there.
struct Journal: Sendable {
  private static let magic: [UInt8] = [0x89] + Array("ASEARCJ".utf8)
  private static let mark: [UInt8] = [0xF7] + Array("ASENTRY".utf8)
  private static let endMark: [UInt8] = [0xF7] + Array("ASENDED".utf8)
  /// The size of a journal without entries, and that of the end of an entry, in bytes.
  static let headerLength = 32
  private static let endLength = 16

  private let file: any DiskFile
  /// The size of the file up to its last entry, in bytes.
  private(set) var length: Int
  private var count: UInt64
  /// Whether a failed write may have left bytes at the end, or bytes that are not on the disk.
  private(set) var isBroken = false

  /// Creates a journal, in place of a file of that name.
  static func create(_ path: String, number: UInt64, on disk: any Disk) throws -> Journal {
    let file = try disk.open(path, .replacing)
    try file.writeAll(header(number), at: 0)
    try file.synchronize()
    try disk.synchronizeFolder(of: path)
    return Journal(file: file, length: headerLength, count: 0)
  }

  /// Opens a journal, and reads its entries.
  ///
  /// - Parameter read: Reads the contents of one entry.
  /// - Returns: The journal, or `nil` if its creation was interrupted.
  /// - Throws: ``FileProblem`` if it is damaged or another file.
  static func open(
    _ file: any DiskFile, number: UInt64, _ cancellation: CancellationCheck,
    _ read: (inout SectionReader) throws -> Void
  ) throws -> Journal? {
    let size = try file.size()
    let found = try file.read(headerLength, at: 0)
    let expected = header(number)
    guard found == expected else {
      // A part of a header only is a creation that was interrupted.
      if size <= headerLength { return nil }
      guard found.prefix(8) == expected.prefix(8) else {
        throw FileProblem("its journal is another file")
      }
      guard found[8..<12] == expected[8..<12] else {
        throw FileProblem("its journal is of a newer version of the package")
      }
      throw FileProblem.damaged("the header of its journal has changed")
    }
    var journal = Journal(file: file, length: headerLength, count: 0)
    while let section = try journal.entry(at: journal.length, size, journal.count, cancellation) {
      try FileReader.read(file, section, .entry, cancellation, read)
      journal.length = section.offset + section.length + endLength
      journal.count += 1
    }
    if journal.length < size {
      guard try !journal.isFollowed(size, cancellation) else {
        throw FileProblem.damaged("the entry \(journal.count) of its journal has changed")
      }
      try file.truncate(to: journal.length)
    }
    // What was read must not be lost later, although the program that wrote it ended before.
    try file.synchronize()
    return journal
  }

  /// Adds an entry, and waits until it is on the disk.
  ///
  /// If it throws, the journal ends where it ended before, unless it is broken.
  ///
  /// - Parameter contents: The contents in pieces.
  mutating func append(_ contents: [[UInt8]]) throws {
    let size = contents.reduce(0) { $0 + $1.count }
    let frame = Self.frame(position: count, length: size)
    var checksum = Checksum()
    for piece in [frame] + contents { checksum.update(piece[...]) }
    let head = Self.mark + frame + FileFormat.bytes(of: checksum.value)
    isBroken = true
    do {
      var end = length
      for piece in [head] + contents {
        try file.writeAll(piece, at: end)
        end += piece.count
      }
      try file.synchronize()
      // Without it a later damage of the entry is not told from an interrupted write.
      try? file.writeAll(Self.endMark + FileFormat.bytes(of: count), at: end)
      length = end + Self.endLength
      count += 1
      isBroken = false
    } catch {
      if (try? cut()) != nil { isBroken = false }
      throw error
    }
  }

  private func cut() throws {
    try file.truncate(to: length)
    try file.synchronize()
  }

  private init(file: any DiskFile, length: Int, count: UInt64) {
    self.file = file
    self.length = length
    self.count = count
  }

  private static func header(_ number: UInt64) -> [UInt8] {
    let start =
      magic + FileFormat.bytes(of: FileFormat.version) + FileFormat.bytes(of: UInt32(0))
      + FileFormat.bytes(of: number)
    return start + FileFormat.bytes(of: Checksum.of(start))
  }

  private static func frame(position: UInt64, length: Int) -> [UInt8] {
    FileFormat.bytes(of: position) + FileFormat.bytes(of: UInt64(length))
  }

  /// Returns the intact entry at an offset, or `nil`.
  private func entry(
    at offset: Int, _ size: Int, _ position: UInt64, _ cancellation: CancellationCheck
  ) throws -> FileFormat.Section? {
    let head = try file.read(Self.headerLength, at: offset)
    guard head.count == Self.headerLength, head.starts(with: Self.mark),
      FileFormat.number(head[8..<16]) == position
    else { return nil }
    let (start, length) = (offset + Self.headerLength, FileFormat.number(head[16..<24]))
    guard length <= UInt64(size - start) else { return nil }
    var checksum = Checksum()
    checksum.update(head[8..<24])
    var read = 0
    while read < Int(length) {
      let piece = try file.read(
        min(FileFormat.pieceLength, Int(length) - read), at: start + read)
      guard !piece.isEmpty else { return nil }
      try cancellation.count(bytes: piece.count)
      checksum.update(piece[...])
      read += piece.count
    }
    guard checksum.value == FileFormat.number(head[24..<32]) else { return nil }
    return FileFormat.Section(
      kind: FileFormat.Kind.entry.rawValue, offset: start, length: Int(length), checksum: nil)
  }

  /// Whether the end of the next entry, or a later entry, is somewhere after the intact ones.
  private func isFollowed(_ size: Int, _ cancellation: CancellationCheck) throws -> Bool {
    var start = length
    while start < size {
      let piece = try file.read(FileFormat.pieceLength + Self.endLength, at: start)
      try cancellation.count(piece.count &>> 4)
      for index in piece.indices.prefix(FileFormat.pieceLength) where piece[index] == Self.mark[0] {
        let (mark, position) = (piece[index...].prefix(8), piece[index...].dropFirst(8).prefix(8))
        guard position.count == 8 else { continue }
        let number = FileFormat.number(position)
        if mark == Self.endMark[...], number >= count { return true }
        if mark == Self.mark[...], number > count,
          try entry(at: start + index, size, number, cancellation) != nil
        {
          return true
        }
      }
      start += FileFormat.pieceLength
    }
    return false
  }
}
