import Foundation
import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// The article that lists the contract is made of the engine's tables.
///
/// To write it again, run this test with the environment variable `ASYNC_INSTANTSEARCH_RECORD`.
struct ContractArticleTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/LocalSearch/LocalSearch.docc/Contract.md").standardized

  @Test func theArticleShowsTheTables() throws {
    if ProcessInfo.processInfo.environment["ASYNC_INSTANTSEARCH_RECORD"] != nil {
      try Data(Self.article.utf8).write(to: Self.file)
    }
    let written = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
    expectEqual(
      written, Self.article,
      "Contract.md is not up to date; run this test with ASYNC_INSTANTSEARCH_RECORD=1")
  }

  private static var article: String {
    """
    # The contract, name by name

    What this engine does with every parameter, setting, call and response member of the contract.

    ## Overview

    The engine's checks and this page are made of the same tables.

    - *honored*: it has the effect that the contract describes. <doc:Deviations> lists the details that
      the contract leaves open.
    - *without effect*: it is valid, and nothing depends on it. With
      ``EngineConfiguration/Acceptance/honored`` it is an error, unless the value asks
      for nothing, such as `analytics: false`.
    - *refused*: it is an error.

    Other names are unknown. Unknown parameters are ignored, and unknown settings are stored, unless
    ``EngineConfiguration/accepts`` is set.

    ## Parameters of searches

    \(names(of: .parameter, others: "also a setting") { $0.uses.contains(.setting) ? "yes" : "" })

    ## Settings

    \(names(of: .setting, others: "also a parameter") { $0.uses.contains(.parameter) ? "yes" : "" })

    ## Parameters of searches for places

    \(names(of: .places, others: "also a parameter of searches") {
      $0.uses.contains(.parameter) ? "yes" : ""
    })

    ## Calls

    A refused call has status 402.

    \(table(
      ["call", "state", "note"],
      ContractCall.all.map { call in
        [
          "`\(call.endpoint.method.rawValue) /\(call.endpoint.pathComponents.joined(separator: "/"))`",
          call.state.rawValue, call.note,
        ]
      }))

    ## Responses to searches

    \(members(of: .response))

    ## Hits

    A hit also has the attributes of its record.

    \(members(of: .hit))

    ## Ranking information

    \(members(of: .rankingInfo))

    """
  }

  private static func names(
    of use: ContractName.Use, others: String, _ other: (ContractName) -> String
  ) -> String {
    table(
      ["name", "state", others, "note"],
      ContractName.all.filter { $0.uses.contains(use) }.map {
        ["`\($0.name)`", $0.state.rawValue, other($0), $0.note]
      })
  }

  private static func members(of owner: ContractMember.Owner) -> String {
    table(
      ["member", "returned", "note"],
      ContractMember.all.filter { $0.owner == owner }.map {
        ["`\($0.name)`", $0.isReturned ? "yes" : "no", $0.note]
      })
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows)
      .map { cells in cells.map { $0.isEmpty ? "| " : "| \($0) " }.joined() + "|" }
      .joined(separator: "\n")
  }
}
