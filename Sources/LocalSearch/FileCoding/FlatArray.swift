/// Arrays of integers as the little-endian bytes of a file.
enum FlatArray {
  /// Returns the bytes of integers.
  static func bytes<Element: FixedWidthInteger>(of elements: ArraySlice<Element>) -> [UInt8] {
    let width = MemoryLayout<Element>.size
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.count * width)
    for element in elements {
      for byte in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: element &>> Element(truncatingIfNeeded: 8 * byte)))
      }
    }
    return bytes
  }

  /// Returns the integers of some bytes, whose number is a multiple of their size.
  static func elements<Element: FixedWidthInteger>(of bytes: [UInt8]) -> [Element] {
    let (size, bitWidth) = (bytes.count, 8 * MemoryLayout<Element>.size)
    var elements: [Element] = []
    elements.reserveCapacity(8 * size / bitWidth)
    var index = 0
    while index < size {
      var element: Element = 0
      var shift = 0
      while shift < bitWidth {
        element |=
          Element(truncatingIfNeeded: bytes[index]) &<< Element(truncatingIfNeeded: shift)
        shift += 8
        index += 1
      }
      elements.append(element)
    }
    return elements
  }
}
