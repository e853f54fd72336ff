import InstantSearchAPI

/// The writes since a file was saved, each as one entry.
///
///     header  magic (8), version (4), 0 (4), number (8), identity (8),
///             of the journal before: identity (8), number of entries (8), digest of these (8),
///             checksum of all (8)
///     entry   head with the position (32), contents, end mark (8), position (8)
///
/// Numbers are little-endian. The identity is a random number. The digest is 0 before the first
/// entry, and then the checksum of the digest so far and of the checksum of the entry. The position
/// of an entry counts from 0. Its head is a ``EntryHead``.
///
/// The end is written when the entry is on the disk. An entry that a crash or a full disk left
/// incomplete has no end, is the last one, and was not acknowledged. Anything else that is not an
/// entry is damage. The newest journal can't be distinguished from a longer journal that was
/// truncated.
struct Journal: Sendable {
  static let magic: [UInt8] = [0x89] + Array("ASINDEJ".utf8)
  static let mark: [UInt8] = [EntryHead.markStart] + Array("ASENTRY".utf8)
  static let entryEndMark: [UInt8] = [EntryHead.markStart] + Array("ASENDED".utf8)
  /// The size of a journal without entries, in bytes.
  static let headerLength = 64
  private static let endLength = 16

  /// A moment in the writes of an engine: a journal, and its entries so far.
  struct Position: Sendable, Hashable {
    /// The random number of the journal, or of a new file.
    let identity: UInt64
    /// The number of entries.
    let count: UInt64
    /// The digest of the entries, or 0 without entries.
    let digest: UInt64
  }

  /// The identity of a journal, and the position that it follows.
  struct Header: Sendable {
    /// The random number of the journal.
    var identity: UInt64
    /// The end of the journal before it.
    var predecessor: Position
  }

  private let file: any DiskFile
  /// The size of the file up to its last entry, in bytes.
  private(set) var length: Int
  /// The number of entries, and their digest.
  private(set) var count: UInt64 = 0
  private var digest: UInt64 = 0
  let header: Header
  /// Its end.
  var position: Position {
    Position(identity: header.identity, count: count, digest: digest)
  }
  /// Whether a failed write may have left bytes at the end, or bytes that are not on the disk.
  private(set) var isBroken = false
  /// Whether an incomplete entry was found at the end.
  private var hasIncompleteEntry = false

  /// Creates a journal, in place of a file of that name.
  ///
  /// - Parameters:
  ///   - predecessor: The end of the journal before this one.
  ///   - model: The file whose permissions it gets.
  static func create(
    _ path: String, number: UInt64, after predecessor: Position, permissionsOf model: String,
    on disk: any Disk
  ) throws -> Journal {
    let header = Header(identity: .random(in: 1 ... .max), predecessor: predecessor)
    let bytes = Self.bytes(of: header, number)
    let file = try disk.open(path, .replacing, permissionsOf: model)
    try file.writeAll(bytes[...], at: 0)
    try file.synchronize()
    try disk.synchronizeFolder(of: path)
    return Journal(file: file, header: header, length: bytes.count)
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
    guard var journal = try Journal(file, size, number) else { return nil }
    while let (section, checksum) = try journal.entry(
      at: journal.length, size, journal.count, cancellation)
    {
      try FileReader.read(file, section, .entry, cancellation, read)
      journal.addEntry(checksum, end: section.offset + section.length)
    }
    if journal.length < size {
      guard try !journal.isFollowed(size, cancellation) else {
        throw FileProblem.damaged("the entry \(journal.count) of its journal has changed")
      }
      journal.hasIncompleteEntry = true
    }
    // The process that wrote these entries may have ended before synchronizing them.
    try file.synchronize()
    return journal
  }

  /// Returns the header of a journal, or `nil` if its creation was interrupted.
  static func header(of file: any DiskFile, number: UInt64) throws -> Header? {
    try Journal(file, file.size(), number)?.header
  }

  /// Removes an incomplete entry at the end, before others are added.
  mutating func removeIncompleteEntry() throws {
    guard hasIncompleteEntry else { return }
    try cut()
    hasIncompleteEntry = false
  }

  /// Adds an entry, and waits until it is on the disk.
  ///
  /// If it throws, the journal ends where it ended before, unless it is broken.
  ///
  /// - Parameters:
  ///   - contents: The contents in pieces.
  ///   - path: The path of the journal.
  ///   - checkLock: Throws ``FileProblem`` if the file is not locked any more.
  mutating func append(
    _ contents: [ArraySlice<UInt8>], at path: String, checkLock: () throws -> Void
  ) throws {
    func check() throws {
      try checkLock()
      guard try file.isNamed(path) else {
        throw FileProblem("its journal was moved or removed while the engine used it")
      }
    }
    let head = EntryHead(mark: Self.mark, number: count, contents: contents)
    isBroken = true
    do {
      var end = length
      for piece in [head.bytes[...]] + contents {
        try file.writeAll(piece, at: end)
        end += piece.count
      }
      try file.synchronize()
      // An engine that opened the file in the meantime may not have seen the entry.
      try check()
      // Without it a later damage of the entry is not told from an interrupted write.
      let mark = Self.entryEndMark + LittleEndian.bytes(of: count)
      try? file.writeAll(mark[...], at: end)
      addEntry(head.checksum, end: end)
      isBroken = false
    } catch {
      // Without the lock, another engine may have written there.
      if (try? checkLock()) != nil, (try? cut()) != nil, (try? check()) != nil { isBroken = false }
      throw error
    }
  }

  /// Counts a complete entry.
  private mutating func addEntry(_ checksum: UInt64, end: Int) {
    length = end + Self.endLength
    count += 1
    digest = Checksum.of(LittleEndian.bytes(of: digest) + LittleEndian.bytes(of: checksum))
  }

  private func cut() throws {
    try file.truncate(to: length)
    try file.synchronize()
  }

  private init(file: any DiskFile, header: Header, length: Int) {
    self.file = file
    self.header = header
    self.length = length
  }

  /// Reads the header of a journal, or returns `nil` if its creation was interrupted.
  private init?(_ file: any DiskFile, _ size: Int, _ number: UInt64) throws {
    let bytes = try file.read(Self.headerLength, at: 0)
    // An incomplete header means that the creation was interrupted.
    guard bytes.count == Self.headerLength, bytes.starts(with: Self.magic) else {
      if size <= Self.headerLength { return nil }
      throw FileProblem("its journal is another file")
    }
    let version = LittleEndian.number(bytes[8..<12])
    guard version <= UInt64(FileFormat.version) else {
      throw FileProblem("its journal is of a newer version of the package")
    }
    guard Checksum.of(Array(bytes.dropLast(8))) == LittleEndian.number(bytes.suffix(8)) else {
      if size <= Self.headerLength { return nil }
      throw FileProblem.damaged("the header of its journal has changed")
    }
    guard LittleEndian.number(bytes[16..<24]) == number else {
      throw FileProblem.damaged("its journal has another number")
    }
    let predecessor = Position(
      identity: LittleEndian.number(bytes[32..<40]), count: LittleEndian.number(bytes[40..<48]),
      digest: LittleEndian.number(bytes[48..<56]))
    let header = Header(identity: LittleEndian.number(bytes[24..<32]), predecessor: predecessor)
    self.init(file: file, header: header, length: Self.headerLength)
  }

  private static func bytes(of header: Header, _ number: UInt64) -> [UInt8] {
    var bytes =
      magic + LittleEndian.bytes(of: FileFormat.version) + LittleEndian.bytes(of: UInt32(0))
    let predecessor = header.predecessor
    for number in [
      number, header.identity, predecessor.identity, predecessor.count, predecessor.digest,
    ] {
      bytes += LittleEndian.bytes(of: number)
    }
    return bytes + LittleEndian.bytes(of: Checksum.of(bytes))
  }

  /// Returns the intact entry at an offset and its checksum, or `nil`.
  private func entry(
    at offset: Int, _ size: Int, _ position: UInt64, _ cancellation: CancellationCheck
  ) throws -> (FileFormat.Section, checksum: UInt64)? {
    guard let head = EntryHead(try file.read(EntryHead.byteCount, at: offset)[...]),
      head.mark == Self.mark[...], head.number == position
    else { return nil }
    let start = offset + EntryHead.byteCount
    guard start <= size, head.length <= UInt64(size - start) else { return nil }
    let length = Int(head.length)
    var checksum = head.checksumBeforeContents
    var read = 0
    while read < length {
      let piece = try file.read(
        min(FileFormat.pieceLength, length - read), at: start + read)
      guard !piece.isEmpty else { return nil }
      try cancellation.count(bytes: piece.count)
      checksum.update(piece[...])
      read += piece.count
    }
    guard checksum.value == head.checksum else { return nil }
    let section = FileFormat.Section(
      kind: FileFormat.Kind.entry.rawValue, offset: start, length: length, checksum: nil)
    return (section, head.checksum)
  }

  /// Whether the end of the next entry, or a later entry, is somewhere after the intact ones.
  ///
  /// Bytes that were made to take longer than reading the file 16 times count as damage.
  private func isFollowed(_ size: Int, _ cancellation: CancellationCheck) throws -> Bool {
    var start = length
    var unchecked = 16 &* min(size, 1 << 56)
    while start < size {
      let piece = try file.read(FileFormat.pieceLength + Self.endLength, at: start)
      try cancellation.count(piece.count &>> 4)
      for index in piece.indices.prefix(FileFormat.pieceLength) where piece[index] == Self.mark[0] {
        let (mark, position) = (piece[index...].prefix(8), piece[index...].dropFirst(8).prefix(8))
        guard position.count == 8 else { continue }
        let number = LittleEndian.number(position)
        if mark == Self.entryEndMark[...], number >= count { return true }
        guard mark == Self.mark[...], number > count else { continue }
        if unchecked < 0 { return true }
        let found = try entry(at: start + index, size, number, cancellation)
        if found != nil { return true }
        unchecked -= size - start - index
      }
      start += FileFormat.pieceLength
    }
    return false
  }
}
