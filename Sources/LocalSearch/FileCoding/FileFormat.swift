/// The form of the file of an engine.
///
///     header    magic (8), version (4), 0 (4)
///     sections  each at a multiple of 8
///     table     for each section: kind (4), 0 (4), offset (8), length (8), checksum (8)
///     footer    offset of the table (8), number of sections (8), checksum of the table (8),
///               checksum of the header and the footer so far (8), magic (8)
///
/// Numbers are little-endian. A file without an intact footer is incomplete.
package enum FileFormat {
  /// The version that this code writes, and the newest one that it reads.
  package static let version: UInt32 = 2
  /// The first version whose words are the words of this code. Indices of older files are made
  /// again from their records.
  static let firstVersionWithWords: UInt32 = 2
  /// The first and the last bytes. The line ending in the last bytes detects a program that
  /// converts line endings.
  static let magic: [UInt8] = [0x89] + Array("ASINDEX".utf8)
  static let endMagic: [UInt8] = Array("ASIND".utf8) + [0x0D, 0x0A, 0x1A]
  static let headerLength = 16
  static let footerLength = 40
  static let entryLength = 32
  /// The maximum number of sections of a file.
  static let maximumSectionCount: UInt64 = 1 << 22
  /// The number of bytes for which memory is taken before they are read.
  static let maximumReservation = 1 << 26
  /// The number of bytes that are read or written at once. Its checksum needs no copy, because it
  /// is a multiple of 32.
  static let pieceLength = 1 << 16

  /// The kind of a section.
  enum Kind: UInt32, Sendable, Hashable {
    /// The engine: its indices and counters.
    case engine = 1
    /// An index: its settings, entries, and live documents.
    case index = 2
    /// The records of segments.
    case records = 3
    /// The words, columns and orders of a segment.
    case segment = 4
    /// A write in a journal.
    case entry = 5
    /// The dictionary entries. Absent without entries.
    case dictionaries = 6
  }

  /// A section in the table.
  struct Section: Sendable, Hashable {
    var kind: UInt32
    var offset: Int
    var length: Int
    /// The checksum of the bytes, or `nil` if it is known to be right.
    var checksum: UInt64?
  }
}

/// Why the bytes of a file are not used.
package struct FileProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem in words, as the end of a sentence.
  package let description: String

  package init(_ description: String) { self.description = description }

  /// A section whose bytes do not fit together.
  static func damaged(_ what: String) -> FileProblem { FileProblem("it is damaged: \(what)") }
}
