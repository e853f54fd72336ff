/// Writes the values of a section, or of an entry of a journal, in order.
protocol FileOutput: AnyObject {
  /// Counts the work.
  var cancellation: CancellationCheck { get }
  /// Writes bytes.
  func append(_ bytes: ArraySlice<UInt8>) throws
}

/// Collects the written bytes in memory.
final class FileBuffer: FileOutput {
  let cancellation: CancellationCheck
  /// The bytes in pieces, so that many are not copied.
  private(set) var pieces: [ArraySlice<UInt8>] = []

  init(_ cancellation: CancellationCheck) { self.cancellation = cancellation }

  func append(_ bytes: ArraySlice<UInt8>) throws {
    try cancellation.count(bytes: bytes.count)
    let last = pieces.count - 1
    if last >= 0, pieces[last].count + bytes.count <= FileFormat.pieceLength {
      pieces[last] += bytes
    } else {
      pieces.append(bytes)
    }
  }
}

extension FileOutput {
  private func append(_ bytes: [UInt8]) throws { try append(bytes[...]) }

  /// Writes a number.
  func write(_ number: Int) throws { try write(UInt64(bitPattern: Int64(number))) }

  /// Writes a number.
  func write(_ number: UInt64) throws { try append(LittleEndian.bytes(of: number)) }

  /// Writes a truth value.
  func write(_ value: Bool) throws { try write(value ? 1 : 0) }

  /// Writes the number of integers, and the integers.
  func write<Element: FixedWidthInteger>(_ elements: [Element]) throws {
    try write(elements.count)
    let step = FileFormat.pieceLength / MemoryLayout<Element>.size
    for start in stride(from: 0, to: elements.count, by: step) {
      try append(FlatArray.bytes(of: elements[start..<min(start + step, elements.count)]))
    }
  }

  /// Writes the number of offsets, and the offsets.
  func write(offsets: [Int]) throws {
    try write(cancellation.map(offsets) { UInt64(clamping: $0) })
  }

  /// Writes numbers.
  func write(_ numbers: [Double]) throws {
    try write(cancellation.map(numbers) { $0.bitPattern })
  }

  /// Writes the number of bytes, and the bytes.
  func write(bytes: [UInt8]) throws {
    try write(bytes.count)
    for start in stride(from: 0, to: bytes.count, by: FileFormat.pieceLength) {
      try append(bytes[start..<min(start + FileFormat.pieceLength, bytes.count)])
    }
  }

  /// Writes a text.
  func write(_ text: String) throws { try write(bytes: Array(text.utf8)) }

  /// Writes texts.
  func write(texts: [String]) throws {
    var (bytes, ends) = ([UInt8](), [UInt64]())
    for text in texts {
      try cancellation.count(bytes: text.utf8.count)
      bytes += text.utf8
      ends.append(UInt64(bytes.count))
    }
    try write(ends)
    try write(bytes: bytes)
  }
}
