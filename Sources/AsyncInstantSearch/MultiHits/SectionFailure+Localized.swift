#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SectionFailure: LocalizedError {
  /// The text of ``description``, which `localizedDescription` gives as well; safe to log.
  public var errorDescription: String? { description }

  /// What went wrong in the section.
  public var failureReason: String? { error.failureReason }

  /// What can be done about it; as for the section's error.
  public var recoverySuggestion: String? { error.recoverySuggestion }
}
