import InstantSearchAPI
import InstantSearchJSON
import LocalSearch
import TestSupport
import Testing

@testable import TypesenseTransport

/// Filters of documents, against the engine's filters of records.
struct FilterTests {
  private static let attributes = ["brand", "a.b", "`x`", "price", "é", "a:b", "no"]
  private static let values = [
    "App", "app", "C++", "C#", "C", "`", "``", "a,b", "[x]", "x && y", "x||y", "(", ")", "é", "ß",
    "日本",
    "👩‍👩‍👧", "-dash", "*", "5", "5.0", "05", "true", ":=", "a:=b", "\\", "\"", "'", " x ", "",
    String(repeating: "long`", count: 800), String(repeating: "long`", count: 800) + "!",
  ]

  private static func number(_ dice: inout SplitMix64) -> JSON {
    let numbers: [Double] = [-1.5, 0, 1, 2, 2.0001, 3, 5, 1e6, -1e6, 1e18, 0.1]
    return .double(numbers[Int.random(in: numbers.indices, using: &dice)])
  }

  private static func scalar(_ dice: inout SplitMix64) -> JSON {
    switch Int.random(in: 0..<10, using: &dice) {
    case 0..<5: .string(values[Int.random(in: values.indices, using: &dice)])
    case 5..<9: number(&dice)
    default: .bool(Bool.random(using: &dice))
    }
  }

  private static func record(_ number: Int, _ dice: inout SplitMix64) -> JSON {
    var record: [String: JSON] = ["objectID": .string(number == 3 ? "`x`" : "\(number)")]
    for attribute in attributes.dropLast() where Int.random(in: 0..<3, using: &dice) > 0 {
      let count = Int.random(in: 0..<4, using: &dice)
      let value: JSON = count == 0 ? scalar(&dice) : .array((0..<count).map { _ in scalar(&dice) })
      record[attribute] = attribute == "a.b" ? nil : value
      if attribute == "a.b" { record["a"] = ["b": value] }
    }
    if Bool.random(using: &dice) {
      record["_tags"] = .array(
        (0..<2).map { _ in .string(values[Int.random(in: values.indices, using: &dice)]) })
    }
    return .object(record)
  }

  private static func literal(_ dice: inout SplitMix64) -> (text: String, kind: Int) {
    let attribute = attributes[Int.random(in: attributes.indices, using: &dice)]
    func quoted(_ text: String) -> String { text.quoted }
    let negation = Int.random(in: 0..<3, using: &dice) == 0 ? "NOT " : ""
    switch Int.random(in: 0..<8, using: &dice) {
    case 0..<4:
      return (
        negation
          + "\(quoted(attribute)):\(quoted(values[Int.random(in: values.indices, using: &dice)]))",
        0
      )
    case 4: return (negation + quoted(values[Int.random(in: 0..<12, using: &dice)]), 1)
    case 5:
      let bounds = [number(&dice), number(&dice)].map { $0.doubleValue ?? 0 }
      return (negation + "\(quoted(attribute)):\(bounds[0].plain) TO \(bounds[1].plain)", 2)
    default:
      let sign = ["<", "<=", "=", "!=", ">=", ">"][Int.random(in: 0..<6, using: &dice)]
      return (
        negation + "\(quoted(attribute)) \(sign) \((number(&dice).doubleValue ?? 0).plain)", 2
      )
    }
  }

  private static func filter(_ dice: inout SplitMix64) -> String {
    (0..<Int.random(in: 1...3, using: &dice)).map { _ in
      let first = literal(&dice)
      var literals = [first.text]
      for _ in 0..<Int.random(in: 0...3, using: &dice) {
        let other = literal(&dice)
        if other.kind == first.kind { literals.append(other.text) }
      }
      return "(" + literals.joined(separator: " OR ") + ")"
    }.joined(separator: " AND ")
  }

  @Test(
    "A filter of documents matches what the filter of records matches", arguments: Seed.all(200))
  func random(seed: Seed) async throws {
    var dice = SplitMix64(seed: seed.value)
    let settings = IndexSettings(attributesForFaceting: Self.attributes.dropLast())
    let form = try CollectionForm([settings])
    let records = (0..<40).map { Self.record($0, &dice) }
    let check = CancellationCheck()
    let encoded = try records.map { record in
      let node = try JSONDocument(Array(record.text.utf8)).root
      return try EncodedRecord(node, objectID: record["objectID"]?.stringValue ?? "", check)
    }
    let documents = try form.documents(of: encoded, check).lines.split(separator: 10)
      .map { try JSON(parsing: Array($0)) }
    let engine = LocalSearch()
    try await engine.save(records, in: "records")
    try await engine.setSettings(settings, of: "records")
    let compiler = FilterCompiler(
      equalOnlyNumbers: [], facets: Set(Self.attributes.dropLast()), missingFields: [])
    for _ in 0..<40 {
      let text = Self.filter(&dice)
      let tree = try #require(try FilterParser.parse(text))
      let expression = compiler.expression(tree)
      guard let filter = try? expression.text() else { continue }
      // Nothing of a value is in a filter.
      #expect(
        filter.utf8.allSatisfy {
          "abcdefghijklmnopqrstuvwxyz0123456789_:=!<>[],.&|() -".utf8.contains($0)
        })
      let found = Set(
        documents.filter { ServerFilter.matches(filter, $0) }.compactMap { $0["id"]?.stringValue })
      let body: JSON = ["filters": .string(text), "hitsPerPage": 1000]
      let response = try await engine.send(
        TransportRequest(.search(index: "records"), body: Array(body.text.utf8)))
      let hits = try JSON(parsing: response.body)["hits"]?.arrayValue ?? []
      let wanted = Set(hits.compactMap { $0["objectID"]?.stringValue.map(DocumentID.text) })
      expectEqual(found, wanted, "\(text)\n\(filter.prefix(500))")
    }
  }
}

extension Double {
  fileprivate var plain: String {
    JSON.double(self).text.contains("e") ? String(Int(self)) : JSON.double(self).text
  }
}
