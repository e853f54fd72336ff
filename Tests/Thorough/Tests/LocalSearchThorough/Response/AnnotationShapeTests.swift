@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// Annotations have the shape of the record.
struct AnnotationShapeTests {
  private static func value(_ random: inout SeededGenerator, depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 5), using: &random) {
    case 0: return .null
    case 1: return true
    case 2: return "ann"
    case 3: return "bob"
    case 4: return .int(Int64.random(in: 0..<10, using: &random))
    case 5..<8:
      let count = Int.random(in: 0..<5, using: &random)
      return .array((0..<count).map { _ in value(&random, depth: depth - 1) })
    default:
      var members: [String: JSON] = [:]
      for key in ["a", "b", "c"].prefix(Int.random(in: 0...3, using: &random)) {
        members[key] = value(&random, depth: depth - 1)
      }
      return .object(members)
    }
  }

  /// The expected annotation, made from the whole value at once.
  private struct Expectation {
    let isSnippet: Bool
    let dropsOthers: Bool

    func leaf(_ text: String, isMatch: Bool = false) -> JSON {
      var leaf: JSON = [
        "value": .string(isMatch ? "<em>\(text)</em>" : text),
        "matchLevel": isMatch ? "full" : "none",
      ]
      if isSnippet { return leaf }
      leaf["matchedWords"] = isMatch ? [.string(text)] : []
      if isMatch { leaf["fullyHighlighted"] = true }
      return leaf
    }

    func annotation(of value: JSON) -> (json: JSON, isMatch: Bool)? {
      switch value {
      case .string(let text): return (leaf(text, isMatch: text == "ann"), text == "ann")
      case .int(let number): return (leaf("\(number)"), false)
      case .array(let elements):
        let parts = elements.map { annotation(of: $0) }
        guard parts.contains(where: { $0 != nil }) else { return nil }
        let isMatch = parts.contains { $0?.isMatch == true }
        if dropsOthers {
          return (.array(parts.compactMap { $0?.isMatch == true ? $0?.json : nil }), isMatch)
        }
        let all = zip(elements, parts).map { $1?.json ?? placeholder(for: $0) }
        return (.array(all), isMatch)
      case .object(let members):
        let parts = members.compactMapValues { annotation(of: $0) }
        if parts.isEmpty { return nil }
        return (.object(parts.mapValues(\.json)), parts.values.contains { $0.isMatch })
      default: return nil
      }
    }

    private func placeholder(for value: JSON) -> JSON {
      switch value {
      case .bool(let bool): leaf(bool ? "true" : "false")
      case .array(let elements): .array(elements.map { placeholder(for: $0) })
      case .object: .object([:])
      default: leaf("")
      }
    }
  }

  @Test(arguments: Seed.all(40), [false, true])
  func annotationsHaveTheShapeOfTheRecord(seed: Seed, dropsOthers: Bool) async throws {
    var random = SeededGenerator(seed: seed.value)
    let values = (0..<10).map { _ in Self.value(&random, depth: 5) }
    let fixture = try await EngineFixture(
      values.enumerated().map {
        ["objectID": .string("\($0)"), "always": "ann", "value": $1] as JSON
      })
    let answer = try await fixture.search([
      "query": "ann", "attributesToSnippet": ["*"],
      "restrictHighlightAndSnippetArrays": .bool(dropsOthers),
    ])
    expectEqual(answer["nbHits"]?.intValue, values.count)
    for hit in answer["hits"]?.arrayValue ?? [] {
      let number = try #require(hit["objectID"]?.stringValue.flatMap { Int($0) })
      for name in ["_highlightResult", "_snippetResult"] {
        let expected = Expectation(isSnippet: name == "_snippetResult", dropsOthers: dropsOthers)
          .annotation(of: values[number])?.json
        expectEqual(hit[name]?["value"], expected, "\(values[number].text)")
      }
    }
  }

  /// The word cache is cleared when it is full, and words are found again.
  @Test func everyEntryOfALongListIsAnnotated() async throws {
    let count = 12_000
    let list = (0..<count).map { JSON.string("w\($0) alpha\($0)") }
    let fixture = try await EngineFixture([["objectID": "1", "list": .array(list + list)]])
    let answer = try await fixture.search(["query": "alpha"])
    let entries = try #require(answer["hits"]?[0]?["_highlightResult"]?["list"]?.arrayValue)
    let expected = (0..<count).map { "w\($0) <em>alpha</em>\($0)" }
    expectEqual(entries.count, 2 * count)
    let wrong = zip(entries, expected + expected).first { $0["value"]?.stringValue != $1 }
    #expect(wrong?.1 == nil)
  }
}
