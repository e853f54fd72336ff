import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request of a `URLSession` on its way, and what has come of its answer.
///
/// On Linux, `URLSessionTask.cancel()` ends the process where it meets the end of the task, and
/// where it meets a redirect. So the task is private to this type, which cancels it under the lock
/// that the session's last word about it takes too: one of the two comes first.
final class SessionTransfer: Sendable {
  /// Called once, with the answer; and then `isOver` comes once, when the connection is free.
  struct Completion: Sendable {
    /// The answer of the server, or why there is none.
    var answered: @Sendable (Result<HTTPExchangeResponse, any Error>) -> Void
    /// The session has nothing more to do for this transfer.
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
  /// Held while the task is cancelled and while it comes to its end; `true` after the one that was
  /// first.
  private let isClosed = Lock(false)

  /// Cancelling a task waits for its session, so it is done here and not where a caller waits.
  private static let cancellations = DispatchQueue(
    label: "URLSessionExchange.cancellations", attributes: .concurrent)

  init(task: URLSessionTask, maximumBodySize: Int, completion: Completion) {
    self.task = task
    self.maximumBodySize = maximumBodySize
    self.completion = completion
  }

  /// Begins.
  func start() {
    task.resume()
  }

  /// Ends the exchange without an answer, if it has none, and frees its connection.
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

// MARK: - What the session says

extension SessionTransfer {
  /// A head has come; of several, as after `100 Continue`, the last one counts.
  func receive(_ response: URLResponse) {
    state.withLock { $0.response = response as? HTTPURLResponse }
  }

  /// A part of the body has come; one too many ends the exchange.
  func receive(_ data: Data) {
    let isTooLong = state.withLock { state in
      guard !state.hasEnded else { return false }
      guard data.count <= maximumBodySize - state.body.count else { return true }
      state.body += data
      return false
    }
    guard isTooLong else { return }
    stop(error: HTTPExchangeError.network("the answer is longer than \(maximumBodySize) bytes"))
  }

  /// The session asks whether to go elsewhere; it must not be answered once the task is cancelled.
  func refuseRedirect(_ refuse: () -> Void) {
    isClosed.withLock { isClosed in
      if !isClosed { refuse() }
    }
  }

  /// What has come is all there will be, unless there is an error.
  func end(error: (any Error)?) {
    if let error { return end(with: .failure(URLErrorMapping.error(for: error))) }
    let (received, body) = state.withLock { ($0.response, $0.body) }
    // On Linux the session does not tell of the head of a redirect that leads nowhere.
    guard let response = received ?? task.response as? HTTPURLResponse, response.statusCode >= 200
    else {
      return end(with: .failure(HTTPExchangeError.network(ConnectionProblem.notHTTP.rawValue)))
    }
    end(
      with: .success(
        HTTPExchangeResponse(
          status: response.statusCode, headers: Self.headers(of: response), body: body)))
  }

  /// The session's last word.
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

  /// The headers, sorted by name, as a session gives them in no order.
  ///
  /// Encoding and length describe the compressed body, which is decompressed here: they are left
  /// out then, as they would be wrong.
  private static func headers(of response: HTTPURLResponse) -> [HTTPHeader] {
    var headers: [HTTPHeader] = []
    for (name, value) in response.allHeaderFields {
      guard let name = name as? String, let value = value as? String else { continue }
      headers.append(HTTPHeader(name: name, value: value))
    }
    return headers.describingDecodedBody.sorted { $0.name < $1.name }
  }
}
