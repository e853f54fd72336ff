import AlgoliaTransport
import AsyncInstantSearch
import Loopback
import AsyncInstantSearchTesting

/// An exchange that does what a test wrote down, and keeps the requests it was given.
final class ScriptedExchange: Sendable {
  enum Step: Sendable {
    case answer(HTTPExchangeResponse)
    case fail(any Error)
    /// Gives no answer, and ends when cancelled.
    case silence
    /// Gives no answer and takes no notice of cancellation; ends with ``release()``.
    case deafness

    static func status(_ status: Int) -> Step { .answer(HTTPExchangeResponse(status: status)) }
  }

  private struct Deaf {
    var isReleased = false
    var continuations: [CheckedContinuation<Void, Never>] = []
  }

  private let script: @Sendable (_ request: HTTPExchangeRequest, _ index: Int) -> Step
  private let deaf = Lock(Deaf())
  let received = Tally<HTTPExchangeRequest>()

  /// Follows a script that looks at each request and at its index, from 0.
  init(_ script: @escaping @Sendable (_ request: HTTPExchangeRequest, _ index: Int) -> Step) {
    self.script = script
  }

  /// Does the steps in order, and the last one for ever.
  convenience init(_ first: Step, _ others: Step...) {
    let steps = [first] + others
    self.init { _, index in steps[min(index, steps.count - 1)] }
  }

  var requests: [HTTPExchangeRequest] { received.elements }

  /// The hosts that were asked, in order.
  var hosts: [String] {
    requests.map { $0.url.split(separator: "/")[1] }.map(String.init)
  }

  var exchange: HTTPExchange {
    { request in try await self.perform(request) }
  }

  /// Ends the deaf exchanges.
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
  /// The values of a header; more than one where it stands more than once.
  func values(of header: String) -> [String] {
    headers.filter { $0.name.lowercased() == header.lowercased() }.map(\.value)
  }
}
