#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SearchError: LocalizedError {
  /// The text of ``description``, which `localizedDescription` gives as well; safe to log.
  public var errorDescription: String? { description }

  /// What went wrong; the ``message`` alone.
  public var failureReason: String? { message }

  /// What can be done about it; `nil` where there is nothing that helps in general.
  public var recoverySuggestion: String? {
    switch code {
    case .unauthorized: "Check the application ID, the API key, and what the key may do."
    case .indexNotFound: "Check the name of the index, or save a record in it first."
    case .rateLimited: "Wait a moment before the next call, or make fewer calls."
    case .server, .unreachable, .timedOut, .transport: "Make the same call again later."
    case .storage: "Check that there is room on the disk and that the folder can be written."
    case .decoding where !failures.isEmpty:
      "Compare the record type with the records; a property that may be absent must be optional."
    default: nil
    }
  }
}
