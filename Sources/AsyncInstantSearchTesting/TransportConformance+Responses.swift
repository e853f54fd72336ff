/// The checks of responses: of single calls, of errors, and of many concurrent calls.
extension TransportConformance {
  func answersSearches(_ transport: some SearchTransport) async -> [Finding] {
    let requirement = "a search returns status 200 and hits"
    do {
      let page = try await transport.page(of: SearchQuery(), in: indexName)
      return page.hits.isEmpty
        ? [Finding(name: .searches, requirement: requirement, observation: "no hits")] : []
    } catch {
      return [Finding(name: .searches, requirement: requirement, observation: "\(error)")]
    }
  }

  /// Without a snapshot there is little to check. Snapshots are optional for a transport.
  func answersAlikeFromItsSnapshot(_ transport: some SearchTransport) async -> [Finding] {
    let requirement =
      "a request with the snapshot of a response, or an unknown one, has the same response"
    do {
      let request = search(body: #"{"hitsPerPage":7}"#)
      let first = try await transport.send(request)
      for snapshot in [first.snapshot, "unknown"] as [(any Sendable)?] {
        var again = request
        again.snapshot = snapshot
        if try await Answer(transport.send(again)) != Answer(first) {
          return [
            Finding(name: .snapshots, requirement: requirement, observation: "the responses differ")
          ]
        }
      }
      return []
    } catch {
      return [Finding(name: .snapshots, requirement: requirement, observation: "\(error)")]
    }
  }

  func answersErrorsWithStatuses(_ transport: some SearchTransport) async -> [Finding] {
    let requirement = "an error of the API is returned as a status, not thrown"
    let cases: [(request: TransportRequest, status: ClosedRange<Int>)] = [
      (search(body: "{"), 400...499),
      (search(body: #"{"page":-1}"#), 400...499),
      (search(body: "{}", indexName: "no such index \(indexName)"), 404...404),
    ]
    var findings: [Finding] = []
    for (request, expected) in cases {
      do {
        let status = try await transport.send(request).status
        if !expected.contains(status) {
          findings.append(
            Finding(name: .errors, requirement: requirement, observation: "status \(status)"))
        }
      } catch {
        findings.append(
          Finding(name: .errors, requirement: requirement, observation: "it threw \(error)"))
      }
    }
    return findings
  }

  func answersConcurrentCalls(_ transport: some SearchTransport) async -> [Finding] {
    let requirement = "concurrent calls get the same responses as sequential calls"
    let queries = (0..<concurrentCalls).map(Self.distinctQuery)
    do {
      var expected: [Answer] = []
      for query in queries {
        expected.append(Answer(try await transport.page(of: query, in: indexName)))
      }
      let received = try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
        for (number, query) in queries.enumerated() {
          group.addTask {
            (number, Answer(try await transport.page(of: query, in: indexName)))
          }
        }
        return try await group.reduce(into: [Int: Answer]()) { $0[$1.0] = $1.1 }
      }
      let differing = expected.indices.filter { received[$0] != expected[$0] }
      return differing.isEmpty
        ? []
        : [
          Finding(
            name: .concurrentSearches, requirement: requirement,
            observation: "\(differing.count) responses differ")
        ]
    } catch {
      return [Finding(name: .concurrentSearches, requirement: requirement, observation: "\(error)")]
    }
  }

  /// A query whose response differs for each number, even in an index with one record. Half of the
  /// queries find every record, on pages of different sizes. The others have different texts.
  private static func distinctQuery(_ number: Int) -> SearchQuery {
    SearchQuery(number.isMultiple(of: 2) ? "" : "\(number)")
      .setting(\.hitsPerPage, to: 1 + number % 1000)
  }

  /// The parts that two responses to one query must share. Times can differ.
  private struct Answer: Sendable, Equatable {
    let hits: [JSON]
    let query: String
    let hitsPerPage: Int
    let nbHits: Int

    init(_ response: TransportResponse) throws {
      self.init(try JSON(parsing: response.body).decode(HitsPage<JSON>.self))
    }

    init(_ page: HitsPage<JSON>) {
      hits = page.hits
      query = page.query
      hitsPerPage = page.hitsPerPage
      nbHits = page.nbHits
    }
  }
}
