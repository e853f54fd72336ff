@testable import InstantSearchAPI
@testable import AlgoliaTransport
@testable import InstantSearchHTTP
@testable import AsyncInstantSearch
import TestSupport
@testable import AsyncInstantSearchTesting

/// An exchange that follows a script and records the requests it receives.
final class ScriptedExchange: Sendable {
  enum Step: Sendable {
    case answer(HTTPExchangeResponse)
    case fail(any Error)
    /// Never responds. Ends when cancelled.
    case silence
    /// Never responds and ignores cancellation. Ends with ``release()``.
    case deafness

    static func status(_ status: Int) -> Step { .answer(HTTPExchangeResponse(status: status)) }
  }

  private struct Deaf {
    var isReleased = false
    var continuations: [CheckedContinuation<Void, Never>] = []
  }

  private let script: @Sendable (_ request: HTTPExchangeRequest, _ index: Int) -> Step
  private let deaf = Lock(Deaf())
  let received = AwaitableList<HTTPExchangeRequest>()

  /// Runs a script for each request and its index, from 0.
  init(_ script: @escaping @Sendable (_ request: HTTPExchangeRequest, _ index: Int) -> Step) {
    self.script = script
  }

  /// Performs the steps in order and repeats the last one.
  convenience init(_ first: Step, _ others: Step...) {
    let steps = [first] + others
    self.init { _, index in steps[min(index, steps.count - 1)] }
  }

  var requests: [HTTPExchangeRequest] { received.elements }

  /// The hosts that were tried, in order.
  var hosts: [String] {
    requests.map { $0.url.split(separator: "/")[1] }.map(String.init)
  }

  var exchange: HTTPExchange {
    { request in try await self.perform(request) }
  }

  /// Ends the exchanges that ignore cancellation.
  func release() {
    let continuations = deaf.withLock { deaf in
      deaf.isReleased = true
      defer { deaf.continuations = [] }
      return deaf.continuations
    }
    for continuation in continuations { continuation.resume() }
  }

  private func perform(_ request: HTTPExchangeRequest) async throws -> HTTPExchangeResponse {
    switch script(request, received.append(request)) {
    case .answer(let response):
      return response
    case .fail(let error):
      throw error
    case .silence:
      await untilCancelled()
      throw CancellationError()
    case .deafness:
      await withCheckedContinuation { continuation in
        let isReleased = deaf.withLock { deaf in
          if !deaf.isReleased { deaf.continuations.append(continuation) }
          return deaf.isReleased
        }
        if isReleased { continuation.resume() }
      }
      return HTTPExchangeResponse(status: 200)
    }
  }
}

extension HTTPExchangeRequest {
  /// The values of a header, which can occur more than once.
  func values(of header: String) -> [String] {
    headers.filter { $0.name.lowercased() == header.lowercased() }.map(\.value)
  }
}
