import InstantSearchAPI
import InstantSearchJSON

/// Search results with hits of any shape.
enum PageProperties {
  static func violations(of text: [UInt8]) -> [String] {
    violations(of: text, Hit<Item>.self) + violations(of: text, Hit<JSON>.self)
      + violations(of: text, Item.self) + violationsOfSaving(text)
  }

  private static func violations<Record: Decodable & Sendable>(
    of text: [UInt8], _ type: Record.Type
  ) -> [String] {
    let page = try? JSONValueDecoder().decode(HitsPage<Record>.self, from: text)
    guard let expected = try? ReferenceReader.read(text) else {
      return page == nil ? [] : ["a page decoded from invalid JSON"]
    }
    guard case .object = expected.content else {
      return page == nil ? [] : ["a page of what is no object"]
    }
    var hits: [ReferenceValue] = []
    switch expected.currentMembers.first(where: { $0.name == "hits" })?.value.content {
    case .array(let elements): hits = elements
    case .null, nil: break
    default: return page == nil ? [] : ["a page whose hits are no array"]
    }
    guard let page else { return ["no page"] }
    // Saved failures come first.
    let failures = page.failures.suffix(max(0, hits.count - page.hits.count))
    guard page.hits.count + failures.count == hits.count else {
      return ["\(page.hits.count) hits and \(page.failures.count) failures of \(hits.count)"]
    }
    return failures.compactMap { failure in
      let leads = hits.contains { hit in
        DecodingProperties.leads(failure.codingPath, into: hit)
      }
      return leads ? nil : "failure at \(failure.codingPath) of no hit: \(failure)"
    }
  }

  /// Whether two hits, one read from the tape and one decoded again, are equal except for the
  /// record.
  private static func haveSameMetadata(_ left: Hit<JSON>, _ right: Hit<JSON>) -> Bool {
    left.objectID == right.objectID && left.highlightResult == right.highlightResult
      && left.snippetResult == right.snippetResult && left.rankingInfo == right.rankingInfo
      && left.geolocation == right.geolocation && left.searchMetadata == right.searchMetadata
  }

  /// A saved page stays equal.
  private static func violationsOfSaving(_ text: [UInt8]) -> [String] {
    func saved(_ page: HitsPage<Hit<JSON>>) throws -> HitsPage<Hit<JSON>> {
      try JSONValueDecoder().decode(HitsPage.self, from: JSONValueEncoder().encode(page))
    }
    guard let page = try? JSONValueDecoder().decode(HitsPage<Hit<JSON>>.self, from: text),
      let first = try? saved(page)
    else { return [] }
    // Undecodable metadata of a hit is not saved with its record either.
    guard page.hits.count == first.hits.count,
      zip(page.hits, first.hits).allSatisfy({ haveSameMetadata($0, $1) }),
      page.facets == first.facets
    else { return ["saved as \(first) instead of \(page)"] }
    guard let second = try? saved(first) else { return ["not saved twice"] }
    return first == second ? [] : ["saved as \(second) instead of \(first)"]
  }
}
