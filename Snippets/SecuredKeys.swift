// Keys that a server generates for its users, without a call to the service.
import AlgoliaTransport
import AsyncInstantSearch
import Foundation

// snippet.generate
let key = try SecuredAPIKey.generate(
  parentKey: "the search-only key",
  restrictions: SecuredAPIKey.Restrictions(
    filters: "owner:ada", validUntil: 1_893_456_000, restrictIndices: ["films"], userToken: "ada"))
// snippet.end
print("A key of \(key.count) characters")

// snippet.inspect
let inspected = try SecuredAPIKey(inspecting: key)
let isOurs = inspected.isDerived(from: "the search-only key")
let remaining = inspected.remainingValidity(at: Date(timeIntervalSince1970: 1_893_452_400))
// snippet.end
print("filters: \(inspected.restrictions.filters ?? "")")
print("derived from our key: \(isOurs)")
print("valid for: \(remaining ?? .zero)")
