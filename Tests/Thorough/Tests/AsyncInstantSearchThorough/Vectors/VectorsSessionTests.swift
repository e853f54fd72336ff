@testable import AsyncInstantSearch
@testable import InstantSearchClient
import Testing

extension VectorsOfInstantSearchTests {
  /// Widgets send the recorded queries, and have the recorded states, views and links, step by
  /// step.
  @Suite struct VectorsSessionTests {
    @Test func sessionsAgree() throws {
      let count = try Self.play(prefix: "sessions-")
      #expect(count > 0)
    }

    /// The sessions that were steered into quirks of InstantSearch.js agree up to the first of
    /// them. They are read only from another folder; see ``VectorFiles``.
    @Test func sessionsAgreeUpToTheirQuirks() throws {
      _ = try Self.play(prefix: "quirks")
    }

    /// Plays all sessions of some files, and returns their number.
    private static func play(prefix: String) throws -> Int {
      var count = 0
      for json in try VectorFiles.files(prefix: prefix) {
        let file = try SessionFile(json)
        for session in file.sessions {
          count += 1
          var player = try SessionPlayer(session, in: file)
          try player.play()
          if let first = player.differences.first {
            Issue.record(
              """
              session \(session["seed"] ?? "") has \(player.differences.count) differences, \
              first \(first)
              """)
          }
        }
      }
      return count
    }
  }
}
