#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why one host gave no answer.
public struct HTTPExchangeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Whether the host was too slow, as opposed to not reached, or lost before its answer was whole.
  public var isTimeout: Bool

  /// What happened, in a few words and without credentials; it becomes part of a `SearchError`.
  public var reason: String

  private init(isTimeout: Bool, reason: String) {
    self.isTimeout = isTimeout
    self.reason = reason
  }

  /// The host did not answer in time.
  public static let timedOut = HTTPExchangeError(isTimeout: true, reason: "timed out")

  /// The host was not reached, or the connection failed: name resolution, refusal, reset, TLS.
  public static func network(_ reason: String) -> HTTPExchangeError {
    HTTPExchangeError(isTimeout: false, reason: reason)
  }

  /// The host did not answer within a timeout.
  static func timedOut(after timeout: Duration) -> HTTPExchangeError {
    HTTPExchangeError(isTimeout: true, reason: "timed out after \(timeout)")
  }

  /// The body of the answer has more bytes than are allowed.
  static func tooLong(_ maximumBodySize: Int) -> HTTPExchangeError {
    .network("the answer is longer than \(maximumBodySize) bytes")
  }

  /// The reason.
  public var description: String { reason }
}

extension HTTPExchangeError: LocalizedError {
  /// The reason, which `localizedDescription` gives as well; safe to log.
  public var errorDescription: String? { reason }
}
