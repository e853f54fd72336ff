import InstantSearchHTTP
import Foundation
import TestSupport
import Testing

@Suite struct HTTPExchangeErrorTests {
  @Test func theLocalizedDescriptionIsTheReason() {
    let lost: any Error = HTTPExchangeError.network("connection reset")
    let late: any Error = HTTPExchangeError.timedOut
    expectEqual(lost.localizedDescription, "connection reset")
    expectEqual(late.localizedDescription, "timed out")
  }
}
