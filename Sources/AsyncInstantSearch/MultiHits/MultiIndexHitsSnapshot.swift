#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a ``MultiIndexHitsInteractor`` shows at one moment: the sections, all of one round.
public struct MultiIndexHitsSnapshot: Sendable {
  /// The sections, in the order of the interactors.
  public let sections: [Section]

  /// Whether a search is due or under way whose answer will take the place of the rows.
  public var isLoading: Bool { sections.contains(where: \.isLoading) }

  /// A section; `nil` when there is none at that position.
  public subscript(section position: Int) -> Section? {
    sections.indices.contains(position) ? sections[position] : nil
  }
}

extension MultiIndexHitsSnapshot {
  /// What one interactor of several shows.
  public struct Section: Sendable {
    let base: any AnyHitsSnapshot

    /// The number of rows, loaded or not.
    public var numberOfHits: Int { base.numberOfHits }
    /// How many hits the search has, counted by the server.
    public var nbHits: Int { base.nbHits }
    /// The request whose answer the rows are; `nil` before the first answer.
    public var request: SearchRequest<JSON>? { base.request }
    /// The number of the search whose answer the rows are; 0 before the first answer.
    public var generation: UInt64 { base.generation }
    /// Whether a search is due or under way whose answer will take the place of the rows.
    public var isLoading: Bool { base.isLoading }
    /// Whether more pages of the same search are on their way.
    public var isLoadingPage: Bool { base.isLoadingPage }
    /// Why the newest search has no answer for this section, if it failed; the rows are those of
    /// the answer before.
    public var failure: SearchError? { base.failure }

    /// The record of a row; `nil` when it is not loaded or there is no such row.
    ///
    /// - Throws: `decoding` when the records are of another type. Nothing is converted.
    public func hit<Record>(
      atIndex row: Int, as type: Record.Type = Record.self
    ) throws(SearchError) -> Record? {
      try base.hit(atIndex: row, as: type)
    }

    /// What is shown, with the type of its records.
    ///
    /// - Throws: `decoding` when the records are of another type.
    public func snapshot<Record>(
      of type: Record.Type = Record.self
    ) throws(SearchError) -> HitsSnapshot<Record> {
      guard let snapshot = base as? HitsSnapshot<Record> else {
        throw SearchError(.decoding, "The section has no records of type \(Record.self).")
      }
      return snapshot
    }
  }
}

/// An error of one section.
public struct SectionFailure: Error, Sendable, Hashable {
  /// The position of the section.
  public let section: Int
  /// What went wrong.
  public let error: SearchError
}

extension SectionFailure: CustomStringConvertible {
  /// The section and what went wrong there; safe to log.
  public var description: String { "Section \(section): \(error)" }
}

extension SectionFailure: LocalizedError {
  /// The text of ``description``, which `localizedDescription` gives as well; safe to log.
  public var errorDescription: String? { description }

  /// What went wrong in the section.
  public var failureReason: String? { error.failureReason }

  /// What can be done about it; as for the section's error.
  public var recoverySuggestion: String? { error.recoverySuggestion }
}
