import InstantSearchAPI

/// Writes the sections of a file.
final class FileWriter: FileOutput {
  private let file: any DiskFile
  let cancellation: CancellationCheck
  private var sections: [FileFormat.Section] = []
  /// The number of bytes written to the file.
  private var written = 0
  /// The bytes that follow them.
  private var buffer: [UInt8] = []
  /// The checksum of the section before the buffer.
  private var checksum = Checksum()

  /// Creates a writer of an empty file.
  init(_ file: any DiskFile, _ cancellation: CancellationCheck) {
    self.file = file
    self.cancellation = cancellation
    buffer.reserveCapacity(2 * FileFormat.pieceLength)
    buffer += header
  }

  private let header =
    FileFormat.magic + LittleEndian.bytes(of: FileFormat.version)
    + LittleEndian.bytes(of: UInt32(0))

  /// Writes a section, and returns its number.
  func section(_ kind: FileFormat.Kind, _ write: (FileWriter) throws -> Void) throws -> Int {
    try align()
    let start = written
    checksum = Checksum()
    try write(self)
    try writeBuffer()
    sections.append(
      FileFormat.Section(
        kind: kind.rawValue, offset: start, length: written - start, checksum: checksum.value))
    return sections.count - 1
  }

  /// Writes the table, and waits until the file is on the disk.
  func finish() throws {
    try align()
    var table: [UInt8] = []
    for section in sections {
      table += LittleEndian.bytes(of: section.kind) + LittleEndian.bytes(of: UInt32(0))
      table += LittleEndian.bytes(of: UInt64(section.offset))
      table += LittleEndian.bytes(of: UInt64(section.length))
      table += LittleEndian.bytes(of: section.checksum ?? 0)
    }
    var footer = LittleEndian.bytes(of: UInt64(written))
    footer += LittleEndian.bytes(of: UInt64(sections.count))
    footer += LittleEndian.bytes(of: Checksum.of(table))
    footer += LittleEndian.bytes(of: Checksum.of(header + footer)) + FileFormat.endMagic
    buffer += table + footer
    try writeBuffer()
    try file.synchronize()
  }

  /// Writes bytes of the current section.
  func append(_ bytes: ArraySlice<UInt8>) throws {
    buffer += bytes
    if buffer.count >= FileFormat.pieceLength { try writeBuffer() }
  }

  private func align() throws {
    while !(written + buffer.count).isMultiple(of: 8) { buffer.append(0) }
    try writeBuffer()
  }

  private func writeBuffer() throws {
    try cancellation.count(bytes: buffer.count)
    checksum.update(buffer[...])
    try file.writeAll(buffer[...], at: written)
    written += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }
}
