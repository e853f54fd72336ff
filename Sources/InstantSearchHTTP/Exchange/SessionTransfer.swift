import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request of a `URLSession` and its response.
///
/// On Linux, `URLSessionTask.cancel()` ends the process if it runs at the same time as the end of
/// the task or a redirect. So the task is private to this type, which cancels it under a lock that
/// the completion callback of the session takes too.
final class SessionTransfer: Sendable {
  /// The callbacks of a transfer: `answered` runs once with the result, then `isOver` runs once
  /// when the connection is free.
  struct Completion: Sendable {
    /// Receives the response of the server, or the reason for its absence.
    var answered: @Sendable (Result<HTTPExchangeResponse, any Error>) -> Void
    /// The session has finished the transfer.
    var isOver: @Sendable () -> Void
  }

  private struct State {
    var response: HTTPURLResponse?
    var body: [UInt8] = []
    var hasEnded = false
    var isOver = false
  }

  private let task: URLSessionTask
  private let maximumBodySize: Int
  private let completion: Completion
  private let state = Lock(State())
  /// Held while the task is cancelled and while it completes. `true` after the first of the two.
  private let isClosed = Lock(false)

  /// The queue that cancels tasks, because cancelling waits for the session and callers must not.
  private static let cancellations = DispatchQueue(
    label: "URLSessionExchange.cancellations", attributes: .concurrent)

  init(task: URLSessionTask, maximumBodySize: Int, completion: Completion) {
    self.task = task
    self.maximumBodySize = maximumBodySize
    self.completion = completion
  }

  /// Starts the transfer.
  func start() {
    task.resume()
  }

  /// Ends the exchange without a response, unless it has one, and frees its connection.
  func stop(error: any Error) {
    end(with: .failure(error))
    Self.cancellations.async {
      self.isClosed.withLock { isClosed in
        guard !isClosed else { return }
        isClosed = true
        self.task.cancel()
      }
      self.release()
    }
  }
}

// MARK: - Callbacks of the session

extension SessionTransfer {
  /// Response headers arrived. Of several, as after `100 Continue`, the last ones count.
  func receive(_ response: URLResponse) {
    state.withLock { $0.response = response as? HTTPURLResponse }
  }

  /// A part of the body arrived. A part beyond the limit ends the exchange.
  func receive(_ data: Data) {
    let isTooLong = state.withLock { state in
      guard !state.hasEnded else { return false }
      guard data.count <= maximumBodySize - state.body.count else { return true }
      state.body += data
      return false
    }
    guard isTooLong else { return }
    stop(error: HTTPExchangeError.network("the response is longer than \(maximumBodySize) bytes"))
  }

  /// The session asks whether to follow a redirect. It must not get a reply after the task was
  /// cancelled.
  func refuseRedirect(_ refuse: () -> Void) {
    isClosed.withLock { isClosed in
      if !isClosed { refuse() }
    }
  }

  /// The transfer is complete, or failed with an error.
  func end(error: (any Error)?) {
    if let error { return end(with: .failure(URLErrorMapping.error(for: error))) }
    let (received, body) = state.withLock { ($0.response, $0.body) }
    // On Linux the session does not report the headers of a redirect without a target.
    guard let response = received ?? task.response as? HTTPURLResponse, response.statusCode >= 200
    else {
      return end(with: .failure(HTTPExchangeError.network(ConnectionProblem.notHTTP.rawValue)))
    }
    end(
      with: .success(
        HTTPExchangeResponse(
          status: response.statusCode, headers: Self.headers(of: response), body: body)))
  }

  /// The final callback of the session.
  func complete(error: (any Error)?) {
    end(error: error)
    isClosed.withLock { $0 = true }
    release()
  }

  private func end(with result: Result<HTTPExchangeResponse, any Error>) {
    let isFirst = state.withLock { state in
      defer { (state.hasEnded, state.body, state.response) = (true, [], nil) }
      return !state.hasEnded
    }
    if isFirst { completion.answered(result) }
  }

  private func release() {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isFirst { completion.isOver() }
  }

  /// The headers, sorted by name because a session reports them in no order.
  ///
  /// Encoding and length describe the compressed body. The body is decompressed here, so they are
  /// removed.
  private static func headers(of response: HTTPURLResponse) -> [HTTPHeader] {
    var headers: [HTTPHeader] = []
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      headers.append(HTTPHeader(name: name, value: value))
    }
    return headers.describingDecodedBody.sorted { $0.name < $1.name }
  }
}
