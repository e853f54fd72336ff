import Foundation
import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

@testable import TypesenseTransport

struct MappingTests {
  @Test("Every parameter and setting of the contract has an entry")
  func names() {
    for (use, own) in [
      (ContractName.Use.parameter, Mapping.Use.parameter), (.setting, .setting),
    ] {
      let names = Set(Mapping.all.filter { $0.uses.contains(own) }.map(\.name))
      expectEqual(ContractName.names(in: use).subtracting(names), [])
      expectEqual(names.subtracting(ContractName.names(in: use)), [])
      expectEqual(Mapping.all.count { $0.uses.contains(own) }, names.count)
    }
  }

  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(
      path:
        "../../Sources/TypesenseTransport/TypesenseTransport.docc/OnATypesenseCluster.md"
    ).standardized

  private static let heading = "## Parameters"

  /// The tables of the article.
  ///
  /// To write them again, run this test with the environment variable `ASYNC_INSTANTSEARCH_RECORD`.
  @Test("The article shows the tables")
  func article() throws {
    let written = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
    let prose = written.split(separator: Self.heading, maxSplits: 1)[0]
    let wanted = String(prose) + Self.tables
    if ProcessInfo.processInfo.environment["ASYNC_INSTANTSEARCH_RECORD"] != nil {
      try Data(wanted.utf8).write(to: Self.file)
    } else {
      expectEqual(
        written, wanted, "run this test with ASYNC_INSTANTSEARCH_RECORD=1 to write the tables")
    }
  }

  private static var tables: String {
    """
    \(heading)

    What is not listed is an error.

    \(table(of: .parameter))

    ## Settings

    \(table(of: .setting))

    """
  }

  private static func table(of use: Mapping.Use) -> String {
    let rows = Mapping.all.filter { $0.uses.contains(use) }.map { mapping in
      let (state, note) =
        switch mapping.state {
        case .exact: ("exact", "")
        case .differs(let note): ("differs", note)
        case .ignored(let note): ("ignored", note)
        case .refused(let advice, let neutral):
          (
            "refused",
            advice
              + (neutral.isEmpty
                ? ""
                : "; " + neutral.map { "`\($0.text)`" }.joined(separator: " or ") + " is accepted")
          )
        }
      return "| `\(mapping.name)` | \(state) |\(note.isEmpty ? "" : " \(note)") |"
    }
    return (["| name | on the cluster | note |", "| --- | --- | --- |"] + rows)
      .joined(separator: "\n")
  }

  @Test("A report names what differs and what is refused")
  func report() {
    var settings = IndexSettings(searchableAttributes: ["title"])
    settings.keepDiacriticsOnCharacters = "é"
    settings.customRanking = ["asc(a)", "asc(b)", "asc(c)"]
    settings.ranking = ["words", "typo", "custom"]
    let report = TypesenseTransport.report(for: settings)
    expectEqual(report.refusals.map(\.name), ["keepDiacriticsOnCharacters", "ranking"])
    expectEqual(
      report.differences.map(\.name), ["customRanking", "ranking", "searchableAttributes"])
    expectEqual(
      TypesenseTransport.report(for: IndexSettings()), SettingsReport())
  }
}
