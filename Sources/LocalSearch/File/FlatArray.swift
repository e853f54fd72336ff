/// Arrays of integers as the little-endian bytes of a file.
enum FlatArray {
  /// Returns the bytes of integers.
  static func bytes<Element: FixedWidthInteger>(of elements: ArraySlice<Element>) -> [UInt8] {
    let flat = isNative(Element.self) ? elements : elements.map(\.littleEndian)[...]
    // Safe: the bytes of integers are initialized and have no padding.
    return unsafe flat.withUnsafeBytes { unsafe Array($0) }
  }

  /// Returns integers from bytes that come in pieces.
  ///
  /// Copying bytes into the array makes opening a file of 100,000 records 1.5 times faster than
  /// putting integers together.
  ///
  /// - Parameter nextPiece: Returns at least one and at most the given number of bytes.
  static func elements<Element: FixedWidthInteger & BitwiseCopyable>(
    _ count: Int, _ nextPiece: (Int) throws -> ArraySlice<UInt8>
  ) throws -> [Element] {
    let size = count * MemoryLayout<Element>.size
    // Safe: the loop ends when all bytes of the buffer are set, or with an error, and any bytes are
    // an integer. The number of bytes of a piece is checked.
    let elements = try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      var position = 0
      while position < size {
        let piece = try nextPiece(size - position).prefix(size - position)
        unsafe piece.withUnsafeBytes { piece in
          let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[position..<size])
          unsafe rest.copyMemory(from: piece)
        }
        position += piece.count
      }
      initialized = count
    }
    return isNative(Element.self) ? elements : elements.map { Element(littleEndian: $0) }
  }

  private static func isNative<Element: FixedWidthInteger>(_: Element.Type) -> Bool {
    Element(1).littleEndian == 1
  }
}
