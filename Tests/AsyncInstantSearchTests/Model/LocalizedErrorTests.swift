import AsyncInstantSearch
import Foundation
import InstantSearchJSON
import Testing

/// What `localizedDescription` and the like say of the package's errors.
@Suite struct LocalizedErrorTests {
  @Test func aSearchErrorsDescriptionIsItsText() {
    let error = SearchError(
      .indexNotFound, "Index films does not exist", indexName: "films", status: 404)
    let any: any Error = error
    #expect(any.localizedDescription == error.description)
    #expect(
      any.localizedDescription
        == "indexNotFound: Index films does not exist (status 404, index films)")
    let localized = any as? any LocalizedError
    #expect(localized?.failureReason == "Index films does not exist")
    #expect(localized?.recoverySuggestion?.contains("name of the index") == true)
  }

  @Test func whatCanBeMadeAgainSaysSo() {
    for code in [SearchError.Code.server, .unreachable, .timedOut, .rateLimited, .transport] {
      let error = SearchError(code, "m")
      #expect(error.isRetryable && error.recoverySuggestion != nil)
    }
    #expect(SearchError(.superseded, "m").recoverySuggestion == nil)
    #expect(SearchError(.decoding, "m").recoverySuggestion == nil)
    let failure = HitFailure(position: 1, objectID: "1", codingPath: ["year"], reason: "missing")
    #expect(SearchError(.decoding, "m", failures: [failure]).recoverySuggestion != nil)
  }

  @Test func othersAreToldAsWell() {
    let section: any (Error & Sendable).Type = SectionFailure.self
    #expect(section is any LocalizedError.Type)
    let text: any Error = JSONError(message: "expected a value", offset: 2, line: 1, column: 3)
    #expect(text.localizedDescription == "line 1, column 3 (offset 2): expected a value")
  }
}
