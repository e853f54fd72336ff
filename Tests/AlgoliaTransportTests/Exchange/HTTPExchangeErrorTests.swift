import AlgoliaTransport
import Foundation
import Testing

@Suite struct HTTPExchangeErrorTests {
  @Test func theLocalizedDescriptionIsTheReason() {
    let lost: any Error = HTTPExchangeError.network("connection reset")
    let late: any Error = HTTPExchangeError.timedOut
    #expect(lost.localizedDescription == "connection reset")
    #expect(late.localizedDescription == "timed out")
  }
}
