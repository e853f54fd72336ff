import AsyncInstantSearch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A `URLSession` of which only the safe parts can be reached: it makes ``SessionTransfer``s.
final class TransferSession: Sendable {
  private let session: URLSession
  private let delegate = TransferDelegate()

  /// Creates a session without cookies, caches and credentials, which follows no redirect.
  init(maximumConnectionsPerHost: Int) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = max(1, maximumConnectionsPerHost)
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  deinit {
    // Transfers under way come to their end; the session goes with the last of them.
    session.finishTasksAndInvalidate()
  }

  /// Prepares a transfer; it begins when it is started.
  func transfer(
    _ request: URLRequest, maximumBodySize: Int,
    completion: SessionTransfer.Completion
  ) -> SessionTransfer {
    let task = session.dataTask(with: request)
    let transfer = SessionTransfer(
      task: task, maximumBodySize: maximumBodySize, completion: completion)
    delegate.add(transfer, for: task)
    return transfer
  }
}

/// Hands what a session has to say to the transfer that it is about.
private final class TransferDelegate: NSObject, URLSessionDataDelegate {
  private let transfers = Lock<[Int: SessionTransfer]>([:])

  func add(_ transfer: SessionTransfer, for task: URLSessionTask) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  private func transfer(of task: URLSessionTask) -> SessionTransfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  /// No redirect is followed: the answer with the status of the redirect is the answer.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    transfer(of: task)?.refuseRedirect { completionHandler(nil) }
  }

  /// No credentials are given but those of the request; a certificate is judged by the system.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Without credentials Foundation on Linux leaves the task as it is, for good. The answer is
      // here already, status and body: it ends the exchange, and the task is cancelled.
      transfer(of: task)?.end(error: nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    transfer(of: dataTask)?.receive(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error: error)
  }
}
