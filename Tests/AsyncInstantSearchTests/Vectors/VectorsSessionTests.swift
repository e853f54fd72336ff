import AsyncInstantSearch
import Testing

/// Widgets send the recorded queries, and have the recorded states, views and links, step by step.
@Suite struct VectorsSessionTests {
  @Test func sessionsAgree() throws {
    var count = 0
    for json in try VectorFiles.files(prefix: "sessions-") {
      let file = try SessionFile(json)
      for session in file.sessions {
        count += 1
        do {
          var player = try SessionPlayer(session, in: file)
          _ = try player.play()
        } catch {
          let text = (error as? SessionPlayer.Difference)?.text ?? "\(error)"
          Issue.record("session \(session["seed"] ?? ""): \(text)")
        }
      }
    }
    #expect(count > 0)
  }

  /// The sessions that were steered into quirks of InstantSearch.js agree up to the first of them.
  /// They are read only from another folder; see ``VectorFiles``.
  @Test func sessionsAgreeUpToTheirQuirks() throws {
    for json in try VectorFiles.files(prefix: "quirks") {
      let file = try SessionFile(json)
      for (number, session) in file.sessions.enumerated() {
        do {
          var player = try SessionPlayer(session, in: file)
          _ = try player.play(until: Self.quirks)
        } catch {
          let text = (error as? SessionPlayer.Difference)?.text ?? "\(error)"
          Issue.record("session \(number) (\(session["seed"] ?? "")): \(text)")
        }
      }
    }
  }

  /// The tags after which a session of InstantSearch.js is not an example.
  private static let quirks: Set<String> = [
    "numericMenu-page-kept", "numericMenu-zero-bound", "numericMenu-shared-bound",
    "numericMenu-inverted-throws", "relevantSort-zero", "relevantSort-text", "geo-zero",
    "range-option-bounds", "range-inverted", "rating-two-refinements", "clear-leaves-exclusions",
    "infinite-cache-one-state", "infinite-cache-spurious-miss", "infinite-ui-page",
    "facet-search-race", "show-more-in-facet-search", "menu-separator",
    "menu-empty-when-unrefined", "breadcrumb-overrides-hierarchy", "breadcrumb-hidden-value",
    "toggle-hidden-value", "facet-order-with-rootPath", "configure-facet-declarations",
    "toggle-off-cleared", "rootPath-not-applied", "escaped-refined-value-dropped",
    "excluded-value-count-forced-to-0",
  ]
}
