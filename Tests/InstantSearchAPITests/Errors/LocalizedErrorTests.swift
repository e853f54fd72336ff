import InstantSearchAPI
import Foundation
import InstantSearchJSON
import TestSupport
import Testing

/// The `localizedDescription` and related properties of the package's errors.
@Suite struct LocalizedErrorTests {
  @Test func localizedDescriptionIsTheMessage() {
    let error = SearchError(
      .indexNotFound, "Index films does not exist", indexName: "films", status: 404)
    let any: any Error = error
    expectEqual(any.localizedDescription, error.description)
    expectEqual(
      any.localizedDescription,
      "indexNotFound: Index films does not exist (status 404, index films)")
    let localized = any as? any LocalizedError
    expectEqual(localized?.failureReason, "Index films does not exist")
    #expect(localized?.recoverySuggestion?.contains("name of the index") == true)
  }

  @Test func retryableErrorsHaveARecoverySuggestion() {
    for code in [SearchError.Code.server, .unreachable, .timedOut, .rateLimited, .transport] {
      let error = SearchError(code, "m")
      #expect(error.isRetryable && error.recoverySuggestion != nil)
    }
    #expect(SearchError(.superseded, "m").recoverySuggestion == nil)
    #expect(SearchError(.decoding, "m").recoverySuggestion == nil)
    let failure = HitFailure(position: 1, objectID: "1", codingPath: ["year"], reason: "missing")
    #expect(SearchError(.decoding, "m", failures: [failure]).recoverySuggestion != nil)
  }

  @Test(arguments: [
    ("host not found (libcurl 6)", "names of the hosts"),
    ("could not connect (URLError -1004)", "listens on that port"),
    ("no secure connection (libcurl 35)", "needs the scheme http."),
    ("the response was not HTTP (libcurl 1)", "needs the scheme https."),
  ])
  func unreachableHostsHaveARecoverySuggestion(outcome: String, text: String) {
    let attempts = ["a.example", "b.example"].map {
      SearchError.Attempt(host: $0, outcome: outcome)
    }
    let error = SearchError(.unreachable, "No host gave an answer.", attempts: attempts)
    #expect(error.recoverySuggestion?.contains(text) == true)
    // A different outcome suggests another cause.
    let mixed = attempts + [SearchError.Attempt(host: "c.example", outcome: "status 503")]
    let other = SearchError(.unreachable, "No host gave an answer.", attempts: mixed)
    expectEqual(other.recoverySuggestion, "Make the same call again later.")
  }

  @Test func hitsWithTheSameFailureAreOneEntry() {
    let same = (1...20).map { (position: Int) in
      HitFailure(
        position: position, objectID: "\(position)", codingPath: ["year"], reason: "it is missing")
    }
    let other = HitFailure(position: 21, objectID: "x", codingPath: [], reason: "no object")
    let error = SearchError(
      .decoding, "21 hits could not be decoded.", failures: same + [other],
      underlying: "it is missing")
    expectEqual(
      error.description,
      "decoding: 21 hits could not be decoded.; 20 records (1, 2, 3, …) at year: it is missing; "
        + "record 21 (objectID x): no object")
    expectEqual(error.failures.count, 21)
    let many = (0..<100).map {
      HitFailure(position: nil, objectID: nil, codingPath: ["\($0)"], reason: "wrong")
    }
    let text = SearchError(.decoding, "m", failures: many).description
    #expect(text.components(separatedBy: "; ").count == 7 && text.hasSuffix("; 95 more records"))
  }

  @Test func otherErrorsAreLocalized() {
    let text: any Error = JSONError(message: "expected a value", offset: 2, line: 1, column: 3)
    expectEqual(text.localizedDescription, "line 1, column 3 (offset 2): expected a value")
  }
}
