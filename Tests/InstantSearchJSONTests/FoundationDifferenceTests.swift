import Foundation
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// Every listed difference from Foundation's decoder exists; one that disappears leaves the list.
struct FoundationDifferenceTests {
  @Test(
    "Texts that are read differently, and the values in them",
    arguments: FoundationDifference.allCases.filter { $0.sample != nil })
  func texts(difference: FoundationDifference) throws {
    let bytes = try #require(difference.sample)
    let ours = outcome { try JSONValueDecoder().decode(JSONTree.self, from: bytes) }
    let theirs = outcome { try JSONDecoder().decode(JSONTree.self, from: Data(bytes)) }
    #expect(ours != theirs)
    // Comparisons know that this reason can cause a failure.
    expectEqual(FoundationComparison.violations(in: bytes), [])
    if let value = try? ReferenceReader.read(bytes) {
      #expect(FoundationDifference.possible(in: value, of: bytes).contains(difference))
    } else {
      let error = try #require(throws: JSONError.self) { try JSONDocument(bytes) }
      #expect(
        FoundationDifference.excusing(refusedText: bytes, at: error.offset).contains(difference))
    }
  }

  /// The outcomes of both decoders for a text.
  private func outcomes<Value: Decodable & Equatable>(
    _ type: Value.Type, _ text: String, _ coders: CoderPair = CoderPair(options: 0)
  ) -> (ours: Outcome<Value>, theirs: Outcome<Value>) {
    let ours = outcome { try coders.ours.decode(type, from: Array(text.utf8)) }
    let theirs = outcome { try coders.theirs.decode(type, from: Data(text.utf8)) }
    return (ours, theirs)
  }

  @Test(
    arguments: [
      ("[1.0000000000000000001]", nil), ("[9007199254740993.5]", nil),
      ("[-0]", 0), ("[18446744073709551615.0]", 18_446_744_073_709_551_615),
    ] as [(String, UInt64?)])
  func integersAreExact(text: String, expected: UInt64?) {
    let (ours, _) = outcomes([UInt64].self, text)
    expectEqual(ours, expected.map { .value([$0]) } ?? .error("dataCorrupted at [Index 0]"))
  }

  @Test func foundationsIntegersAreNot() {
    expectEqual(outcomes([Int].self, "[1.0000000000000000001]").theirs, .value([1]))
    let wide = outcomes([Int128].self, "[1e30]")
    expectEqual(wide.ours, .value([1_000_000_000_000_000_000_000_000_000_000]))
    #expect(wide.theirs != wide.ours)
  }

  @Test func namesOfFloatsCanHaveEscapes() {
    let coders = CoderPair(options: 10)
    let (ours, theirs) = outcomes([Double].self, #"["inf","\u0069nf"]"#, coders)
    expectEqual(ours, .value([.infinity, .infinity]))
    expectEqual(theirs, .error("typeMismatch Double at [Index 1]"))
  }

  @Test(arguments: ["2024-05-01t12:00:00.5z", "2024-05-01T12:00:00.50000000000Z"])
  func datesCanHaveAnyFormOfTheStandard(text: String) {
    let (ours, theirs) = outcomes([Date].self, #"["\#(text)"]"#, CoderPair(options: 1))
    expectEqual(ours, .value([Date(timeIntervalSince1970: 1_714_564_800.5)]))
    #expect(theirs != ours)
  }

  @Test func errorsOfNumbersAndDatesHaveFullPaths() {
    let number = outcomes([String: [UInt8]].self, #"{"a":[256]}"#)
    expectEqual(number.ours, .error("dataCorrupted at [a.Index 0]"))
    expectEqual(number.theirs, .error("dataCorrupted at []"))
    let double = outcomes([[Double]].self, "[[1e400]]")
    expectEqual(double.ours, .error("dataCorrupted at [Index 0.Index 0]"))
    expectEqual(double.theirs, .error("dataCorrupted at []"))
    let date = outcomes([String: [Date]].self, #"{"a":["x"]}"#, CoderPair(options: 1))
    expectEqual(date.ours, .error("dataCorrupted at [a.Index 0]"))
    expectEqual(date.theirs, .error("dataCorrupted at [a]"))
  }

  private struct Numbered: Decodable, Equatable {
    var first: [Int]
    enum CodingKeys: Int, CodingKey { case first = 1 }
  }

  @Test func integerKeysAreNotInPaths() {
    let (ours, theirs) = outcomes(Numbered.self, #"{"first":[true]}"#)
    expectEqual(ours, .error("typeMismatch Int at [first.Index 0]"))
    expectEqual(theirs, .error("typeMismatch Int at [first#1.Index 0]"))
  }

  /// Reads elements beyond the last one.
  private struct Beyond: Decodable, Equatable {
    var indices: [Int] = []

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      for _ in 0..<3 {
        _ = try list.decodeIfPresent(Int.self)
        indices.append(list.currentIndex)
      }
    }
  }

  @Test func readingStopsAtTheEnd() throws {
    let ours = try JSONValueDecoder().decode(Beyond.self, from: Array("[7]".utf8))
    expectEqual(ours.indices, [1, 1, 1])
    let theirs = try JSONDecoder().decode(Beyond.self, from: Data("[7]".utf8))
    expectEqual(theirs.indices, [1, 2, 3])
  }

  /// Reads a value from the decoder given to the preceding value.
  private struct Late: Decodable {
    struct Keeper: Decodable {
      var decoder: any Decoder
      init(from decoder: any Decoder) throws { self.decoder = decoder }
    }
    var values: [Int]

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      let first = try list.decode(Keeper.self).decoder
      let second = try list.decode(Keeper.self).decoder
      values = [try Int(from: second), try Int(from: first), try Int(from: second)]
    }
  }

  @Test func decodersKeepTheirPosition() throws {
    let late = try JSONValueDecoder().decode(Late.self, from: Array("[1,2]".utf8))
    expectEqual(late.values, [2, 1, 2])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Late.self, from: Data("[1,2]".utf8))
    }
  }

  // MARK: - Not by design

  private struct Twice: Decodable {
    var path: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      _ = try? container.decode([String: Int].self)
      let object = try decoder.container(keyedBy: AnyCodingKey.self)
      path = text(of: try object.nestedUnkeyedContainer(forKey: AnyCodingKey("aB")).codingPath)
    }
  }

  @Test func anObjectTriedAsADictionaryHasConvertedPathsAfterwards() throws {
    let coders = CoderPair(options: 5)
    let bytes = Array(#"{"a_b":[]}"#.utf8)
    try expectEqual(coders.theirs.decode(Twice.self, from: Data(bytes)).path, "aB")
    try expectEqual(coders.ours.decode(Twice.self, from: bytes).path, "aB")
  }
}
