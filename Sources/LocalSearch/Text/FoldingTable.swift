/// The folding of single characters (Unicode scalars) for comparison: to lower case, to base
/// letters, and to one form of canonically equal texts.
///
/// The entries are in pages. Pages without an entry are one.
struct FoldingTable: Sendable {
  /// The table of ``FoldingData``.
  static let shared = FoldingTable(FoldingData.table)

  private static let pageSize = 128
  private static let codeSpaceSize = 0x11_0000

  private var pages = [UInt16](repeating: 0, count: Self.codeSpaceSize / Self.pageSize)
  private var entries = [Entry](repeating: .same, count: Self.pageSize)
  private var sequences: [Unicode.Scalar] = []

  /// The entry of a scalar.
  struct Entry: Sendable, Hashable {
    enum Kind: UInt8, Sendable {
      /// Compared as itself.
      case same
      /// Compared as another scalar.
      case scalar
      /// Compared as several scalars, such as `ss` for `ß`.
      case sequence
      /// Not compared: a diacritic, or an invisible character.
      case dropped
      /// Compared as itself, a mark whose place among other marks has no meaning.
      case mark
      /// Compared as itself, or as part of the Korean syllable that it continues.
      case jamo
    }

    let kind: Kind
    /// The canonical combining class of a mark.
    let rank: UInt8
    /// The number of scalars of a sequence.
    let count: UInt8
    /// The other scalar, or where the sequence begins.
    let value: UInt32

    init(_ kind: Kind, rank: UInt8 = 0, count: UInt8 = 0, value: UInt32 = 0) {
      (self.kind, self.rank, self.count, self.value) = (kind, rank, count, value)
    }

    static let same = Entry(.same)
  }

  /// The entry of a scalar.
  @inline(__always)
  subscript(scalar: Unicode.Scalar) -> Entry {
    let value = Int(truncatingIfNeeded: scalar.value)
    return entries[Int(pages[value &>> 7]) &* Self.pageSize &+ (value & 127)]
  }

  /// The scalars of an entry with a sequence.
  func sequence(_ entry: Entry) -> ArraySlice<Unicode.Scalar> {
    sequences[Int(entry.value)..<Int(entry.value) + Int(entry.count)]
  }

  /// Returns the folded form of a scalar if it is a single scalar, or else the scalar itself.
  func single(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let entry = self[scalar]
    return entry.kind == .scalar ? Unicode.Scalar(entry.value) ?? scalar : scalar
  }

  private init(_ table: StaticString) {
    for letter in UInt32(0x41)...0x5A { set(letter, Entry(.scalar, value: letter | 0x20)) }
    // By scalars, because a mark after a space is one character with it.
    for line in table.description.unicodeScalars.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard let first = parts.first.flatMap({ UInt32(String($0), radix: 16) }) else { continue }
      for (index, part) in parts.dropFirst().enumerated() where part.first != "." {
        set(first + UInt32(index), entry(part))
      }
    }
    for letter in Hangul.continuing { set(letter, Entry(.jamo)) }
  }

  private mutating func entry(_ part: Substring.UnicodeScalarView) -> Entry {
    if part.first == "-" { return Entry(.dropped) }
    if part.first == "^" { return Entry(.mark, rank: UInt8(String(part.dropFirst())) ?? 0) }
    if part.count == 1, let scalar = part.first { return Entry(.scalar, value: scalar.value) }
    defer { sequences += part }
    return Entry(.sequence, count: UInt8(clamping: part.count), value: UInt32(sequences.count))
  }

  private mutating func set(_ value: UInt32, _ entry: Entry) {
    let (page, offset) = Int(value).quotientAndRemainder(dividingBy: Self.pageSize)
    if pages[page] == 0 {
      pages[page] = UInt16(entries.count / Self.pageSize)
      entries += Array(repeating: .same, count: Self.pageSize)
    }
    entries[Int(pages[page]) * Self.pageSize + offset] = entry
  }
}

/// Korean syllables, which are joined from their letters (Unicode 3.12).
enum Hangul {
  private static let (firsts, vowels, lasts) = (0x1100...0x1112, 0x1161...0x1175, 0x11A8...0x11C2)
  private static let syllables = 0xAC00...0xD7A3

  /// The letters that continue a syllable.
  static let continuing = (Array(vowels) + Array(lasts)).map { UInt32($0) }

  /// Returns the syllable of a letter or a syllable and the letter after it, or `nil`.
  static func joined(_ beginning: Unicode.Scalar, _ letter: Unicode.Scalar) -> Unicode.Scalar? {
    let (beginning, letter) = (Int(beginning.value), Int(letter.value))
    if firsts.contains(beginning), vowels.contains(letter) {
      let number = (beginning - 0x1100) * vowels.count + letter - 0x1161
      return Unicode.Scalar(UInt32(0xAC00 + number * (lasts.count + 1)))
    }
    guard syllables.contains(beginning), (beginning - 0xAC00) % (lasts.count + 1) == 0,
      lasts.contains(letter)
    else { return nil }
    return Unicode.Scalar(UInt32(beginning + letter - 0x11A7))
  }
}
