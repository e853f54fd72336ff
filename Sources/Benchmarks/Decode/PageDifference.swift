import AsyncInstantSearch
import Foundation

/// What is different between two pages, hits first; `nil` when nothing is.
///
/// Of facets the order is left out, which Foundation does not tell, and of both pages what the
/// plain types of this benchmark do not have.
func difference<Record: Hashable>(
  between page: HitsPage<Record>, and other: HitsPage<Record>
) -> String? {
  if let failure = page.failures.first { return "\(failure)" }
  if page.hits.count != other.hits.count {
    return "\(page.hits.count) hits instead of \(other.hits.count)"
  }
  for index in page.hits.indices where page.hits[index] != other.hits[index] {
    return "hit \(index) is \(page.hits[index]) instead of \(other.hits[index])"
  }
  func counts(_ page: HitsPage<Record>) -> [String: [String: Int]] {
    Dictionary(uniqueKeysWithValues: page.facets.map { ($0.attribute, $0.counts) })
  }
  func members(_ page: HitsPage<Record>) -> [(name: String, value: AnyHashable)] {
    [
      ("nbHits", page.nbHits), ("page", page.page), ("nbPages", page.nbPages),
      ("hitsPerPage", page.hitsPerPage), ("facets", counts(page)),
      ("facetStats", page.facetStats), ("query", page.query), ("params", page.params),
      ("index", page.index), ("queryID", page.queryID), ("parsedQuery", page.parsedQuery),
      ("serverUsed", page.serverUsed), ("indexUsed", page.indexUsed),
      ("processingTimeMS", page.processingTimeMS), ("serverTimeMS", page.serverTimeMS),
      ("exhaustive", page.exhaustive),
    ]
  }
  for (member, otherMember) in zip(members(page), members(other))
  where member.value != otherMember.value {
    return "\(member.name) is \(member.value) instead of \(otherMember.value)"
  }
  return nil
}

/// What is different between the pages of two lists; `nil` when nothing is.
func difference<Record: Hashable>(
  between pages: [HitsPage<Record>], and others: [HitsPage<Record>]
) -> String? {
  if pages.count != others.count { return "\(pages.count) pages instead of \(others.count)" }
  return zip(pages, others).lazy.compactMap { difference(between: $0, and: $1) }.first
}

/// What is different between a value of this library and one of `JSONSerialization`; `nil` when
/// nothing is.
func difference(between json: JSON, and object: Any) -> String? {
  switch json {
  case .object(let members):
    guard let others = object as? [String: Any], members.count == others.count else { break }
    return members.lazy.compactMap { name, member in
      guard let other = others[name] else { return "no member \(name)" }
      return difference(between: member, and: other)
    }.first
  case .array(let elements):
    guard let others = object as? [Any], elements.count == others.count else { break }
    return zip(elements, others).lazy.compactMap { difference(between: $0, and: $1) }.first
  case .string(let text): if object as? String == text { return nil }
  case .bool(let value): if object as? Bool == value { return nil }
  case .int(let number): if object as? Int64 == number { return nil }
  case .uint(let number): if object as? UInt64 == number { return nil }
  case .double(let number): if object as? Double == number { return nil }
  case .number(let text): if let number = object as? NSNumber, "\(number)" == text { return nil }
  case .null: if object is NSNull { return nil }
  }
  return "\(json) instead of \(object)"
}

/// What is different between two JSON texts, whose members may stand in any order; `nil` when
/// nothing is.
func difference(betweenJSON bytes: [UInt8], and others: Data) throws -> String? {
  let json = try JSON(parsing: bytes)
  let other = try JSON(parsing: [UInt8](others))
  return json == other ? nil : "\(json) instead of \(other)"
}
