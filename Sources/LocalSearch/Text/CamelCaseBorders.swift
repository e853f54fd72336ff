/// Finds where the words inside a word begin: `HTTPServer2Go` has `HTTP`, `Server`, `2` and `Go`.
///
/// A word begins at a capital after a small letter, at the last of several capitals if a small
/// letter follows, and between letters and digits. Marks belong to their letters.
struct CamelCaseBorders {
  /// The start of a word.
  struct Border {
    /// The offset in the text.
    let source: Int
    /// The offset in the normalized words.
    let word: Int
  }

  private enum Kind { case small, capital, digit, other }

  /// The maximum number of starts. What follows the last one is one word. Each rest of a word is
  /// a word too, so that a long one has the square of their number.
  private static let maximumCount = 32

  /// The starts, in order, without the first one.
  private(set) var borders: [Border] = []
  private var last: (kind: Kind, border: Border)?
  private var isAfterCapital = false

  /// Begins with another word.
  mutating func removeAll() {
    borders.removeAll(keepingCapacity: true)
    last = nil
    isAfterCapital = false
  }

  /// Adds the next letter or digit.
  ///
  /// - Parameters:
  ///   - source: Its offset in the text.
  ///   - word: Its offset in the normalized words.
  mutating func add(_ scalar: Unicode.Scalar, source: Int, word: Int) {
    let kind = Self.kind(of: scalar)
    let border = Border(source: source, word: word)
    if let last {
      switch (last.kind, kind) {
      case (.digit, .digit): break
      case (.digit, _), (_, .digit), (.small, .capital): append(border)
      case (.capital, .small) where isAfterCapital: append(last.border)
      default: break
      }
    }
    isAfterCapital = last?.kind == .capital
    last = (kind, border)
  }

  private mutating func append(_ border: Border) {
    if borders.count < Self.maximumCount { borders.append(border) }
  }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    switch scalar.value {
    case 0x61...0x7A: return .small
    case 0x41...0x5A: return .capital
    case 0x30...0x39: return .digit
    case 0..<0x80: return .other
    default: break
    }
    let properties = scalar.properties
    if properties.isUppercase { return .capital }
    if properties.isLowercase { return .small }
    return properties.numericType == nil ? .other : .digit
  }
}
