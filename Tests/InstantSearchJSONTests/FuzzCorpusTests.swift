import Foundation
import JSONProperties
import TestSupport
import Testing

/// The initial inputs of the fuzzer, and those it found.
struct FuzzCorpusTests {
  /// The inputs of `Tests/Fuzzing/Corpus.txt`, one per line; `%1F` represents a byte.
  private static let inputs: [[UInt8]] = {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = tests.appending(path: "Fuzzing/Corpus.txt")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").map { line in
      let pieces = line.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
      return pieces.enumerated().flatMap { index, piece -> [UInt8] in
        guard index > 0, let byte = UInt8(Substring(piece.prefix(2)), radix: 16) else {
          return Array(piece)
        }
        return [byte] + piece.dropFirst(2)
      }
    }
  }()

  @Test func corpusIsNotEmpty() {
    #expect(Self.inputs.count > 50)
    for property in InputProperty.allCases {
      let count = UInt8(InputProperty.allCases.count)
      #expect(Self.inputs.contains { $0.first.map { $0 % count } == property.rawValue })
    }
  }

  @Test func noInputViolatesItsProperty() {
    for input in Self.inputs {
      let violations = InputProperty.violations(ofInput: input)
      expectEqual(violations, [], "\(input.prefix(3)) \(String(decoding: input, as: UTF8.self))")
    }
  }

  @Test(arguments: InputProperty.allCases)
  func noTextViolatesAnyProperty(property: InputProperty) {
    // Texts found for one property are sometimes tried with the others.
    let step = Thoroughness.count(30, thorough: 3)
    for input in Self.inputs.enumerated().filter({ $0.offset % step == 0 }).map(\.element) {
      let input = [property.rawValue] + input.dropFirst()
      let violations = InputProperty.violations(ofInput: input)
      expectEqual(violations, [], "\(input.prefix(3)) \(String(decoding: input, as: UTF8.self))")
    }
  }
}
