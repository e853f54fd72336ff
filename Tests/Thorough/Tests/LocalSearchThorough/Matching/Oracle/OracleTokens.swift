@testable import InstantSearchAPI
@testable import LocalSearch

/// The words of a text of a record, with the words inside words where the settings ask for them.
struct OracleTokens {
  let settings: IndexSettings

  func tokens(of text: String, at path: String) throws -> [Token] {
    let plain = try Tokenizer(settings: settings).tokens(of: text, CancellationCheck())
    let splits = settings.camelCaseAttributes.contains { path == $0 || path.hasPrefix($0 + ".") }
    guard splits else { return plain }
    let bytes = Array(text.utf8)
    var found: [Token] = []
    var next = 0
    for token in plain {
      if OracleUnspaced.isUnspaced(token.word) {
        found.append(Token(word: token.word, range: token.range, position: next))
        next += 1
        continue
      }
      // A part of a joined word is found with the whole.
      let isPart = plain.contains {
        $0.range != token.range && $0.range.lowerBound <= token.range.lowerBound
          && token.range.upperBound <= $0.range.upperBound
      }
      if isPart { continue }
      let runs = Self.runs(bytes, token.range)
      let start = next
      for run in runs {
        let parts = Self.parts(bytes, run)
        let word = try self.word(bytes, run)
        let base = runs.count == 1 ? start : next
        if parts.count > 1 {
          for (offset, part) in parts.enumerated() {
            for end in Set([offset, parts.count - 1]) where offset > 0 || end == offset {
              let range = part.lowerBound..<parts[end].upperBound
              found.append(
                Token(word: try self.word(bytes, range), range: range, position: base + offset))
            }
          }
          next = base + parts.count
        }
        if runs.count == 1 || word.unicodeScalars.count >= 3 {
          found.append(Token(word: word, range: run, position: base))
          next = max(next, base + 1)
        }
      }
      if runs.count > 1 {
        found.append(Token(word: token.word, range: token.range, position: start))
        next = max(next, start + 1)
      }
    }
    return found
  }

  private func word(_ bytes: [UInt8], _ range: Range<Int>) throws -> String {
    let text = String(decoding: bytes[range], as: UTF8.self)
    return try Tokenizer(settings: settings).tokens(of: text, CancellationCheck())
      .map(\.word).joined()
  }

  /// The parts between points and apostrophes.
  private static func runs(_ bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    bytes[range].split { [UInt8(ascii: "."), UInt8(ascii: "'")].contains($0) }
      .map { $0.startIndex..<$0.endIndex }
  }

  /// The words inside a word.
  private static func parts(_ bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    let letters = Array(String(decoding: bytes[range], as: UTF8.self))
    func isBorder(_ index: Int) -> Bool {
      let (before, letter) = (letters[index - 1], letters[index])
      if before.isNumber != letter.isNumber { return true }
      if before.isLowercase && letter.isUppercase { return true }
      return index + 1 < letters.count && before.isUppercase && letter.isUppercase
        && letters[index + 1].isLowercase
    }
    var starts = [range.lowerBound]
    var offset = range.lowerBound
    for index in letters.indices {
      if index > 0, isBorder(index) { starts.append(offset) }
      offset += letters[index].utf8.count
    }
    return zip(starts, starts.dropFirst() + [range.upperBound]).map { $0..<$1 }
  }
}
