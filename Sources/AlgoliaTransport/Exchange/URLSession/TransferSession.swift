import AsyncInstantSearch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A `URLSession` of which only the safe parts can be reached.
///
/// On Linux, cancelling a `URLSessionTask` can deadlock or end the process. So the session and its
/// tasks are private to this file, and what it hands out has no `cancel()` there: code that would
/// make the mistake does not compile.
final class TransferSession: Sendable {
  typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

  private let session: URLSession

  /// Creates a session without cookies and caches, which follows no redirect.
  init(maximumConnectionsPerHost: Int) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = max(1, maximumConnectionsPerHost)
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(
      configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
  }

  deinit {
    // Transfers under way come to their end; the session goes with the last of them.
    session.finishTasksAndInvalidate()
  }

  /// Prepares a transfer; it begins when it is started.
  func transfer(_ request: URLRequest, completion: @escaping Completion) -> Transfer {
    Transfer(task: session.dataTask(with: request, completionHandler: completion))
  }

  /// One request on its way.
  struct Transfer: Sendable {
    private let task: URLSessionTask

    fileprivate init(task: URLSessionTask) {
      self.task = task
    }

    /// Begins.
    func start() {
      task.resume()
    }

    #if !canImport(FoundationNetworking)
      /// Ends the transfer, which frees its connection.
      func cancel() {
        task.cancel()
      }
    #endif
  }
}

/// Lets a session follow no redirect: the answer with the 3xx status is the answer.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
