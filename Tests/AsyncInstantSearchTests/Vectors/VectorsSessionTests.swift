import AsyncInstantSearch
import Testing

/// Widgets send the recorded queries and write the recorded states, step by step.
@Suite struct VectorsSessionTests {
  /// The difference at which a session stops agreeing.
  private struct Difference: Error {
    let text: String
  }

  @Test func sessionsAgree() throws {
    var compared = 0
    for file in try VectorFiles.files(prefix: "sessions-") {
      let exchanges = try VectorFiles.list("exchanges", of: file)
      for session in try VectorFiles.list("sessions", of: file) {
        let widgets = session["widgets"]?.arrayValue ?? []
        let types = Set(widgets.compactMap { $0["type"]?.stringValue })
        guard types.isDisjoint(with: SessionWidget.unsupported) else { continue }
        compared += 1
        do {
          try compare(session, exchanges)
        } catch let difference as Difference {
          Issue.record("session \(session["seed"] ?? ""): \(difference.text)")
        }
      }
    }
    #expect(compared > 0)
  }

  private func compare(_ session: JSON, _ exchanges: [JSON]) throws {
    let index = session["indexName"]?.stringValue ?? ""
    let definitions = session["widgets"]?.arrayValue ?? []
    var widgets = try definitions.map(SessionWidget.init)
    var screen: SearchScreen {
      SearchScreen(indexName: index, widgets: widgets.compactMap(\.widget))
    }
    func read(_ json: JSON?) throws -> IndexState {
      let uiState = try (json ?? [:]).decode(UIState.self)
      return screen.state(from: uiState[index])
    }
    var target = WidgetAction.Target(state: try read(session["initialUiState"]))
    if let url = session["initialUrl"]?.stringValue {
      target.state = screen.state(from: UIState.read(query: url, mapping: .simple).state[index])
    }
    var sent: [JSON] = []
    var answered = target.state
    var removedRatings: Set<String> = []
    for (number, step) in (session["steps"]?.arrayValue ?? []).enumerated() {
      let verb = step["verb"]?.stringValue ?? ""
      let key = step["widget"]?.stringValue
      let name = "step \(number) (\(verb) \(key ?? "") \(step["args"] ?? []))"
      switch verb {
      case "start", "toggleShowMore", "searchForItems": break
      case "setUiState":
        let strictness = target.state.query.relevancyStrictness
        target.state = try read(step["args"]?[0])
        // InstantSearch.js keeps the strictness that a state does not name.
        if target.state.query.relevancyStrictness == nil,
          widgets.contains(where: { $0.type == "relevantSort" })
        {
          target.state.query.relevancyStrictness = strictness
        }
      case "removeWidget":
        if let removed = widgets.first(where: { $0.key == key }), removed.type == "ratingMenu" {
          removedRatings.formUnion(
            removed.options["attribute"].flatMap(\.stringValue).map { [$0] } ?? [])
        }
        let uiState = screen.uiState(of: target.state)
        widgets.removeAll { $0.key == key }
        target.state = screen.state(from: uiState)
      case "addWidget":
        let uiState = screen.uiState(of: target.state)
        if let definition = definitions.first(where: { $0["key"]?.stringValue == key }) {
          widgets.append(try SessionWidget(definition))
        }
        target.state = screen.state(from: uiState)
      default:
        guard let position = widgets.firstIndex(where: { $0.key == key }) else { break }
        if widgets[position].type == "configure" {
          try widgets[position].configure(step["args"]?[0] ?? [:])
          if target.state.query.page != nil { target.state.query.page = 0 }
          break
        }
        let action = widgets[position]
          .action(verb, step["args"]?.arrayValue ?? [], in: target.state)
        if let action { try? screen.apply(action, to: &target) }
      }
      let queries = screen.queries(for: target.state)
      let ours = try queries.all.map { VectorsStateTests.comparable(try JSON(encoding: $0)) }
      let recorded = step["requests"]?.arrayValue ?? []
      if let call = recorded.indices.last {
        let needless = Set(
          (step["needless"]?.arrayValue ?? []).filter { $0[0]?.intValue == call }
            .compactMap { $0[1]?.intValue })
        let numbers = (recorded[call].arrayValue ?? []).enumerated()
          .filter { !needless.contains($0.offset) }.compactMap(\.element.intValue)
        let expected = numbers.map {
          VectorsStateTests.comparable(exchanges[$0]["request"]?["params"] ?? [:])
            .leavingOut(facets: removedRatings, declared: screen.parameters(for: target.state))
        }
        if let difference = firstDifference(.array(ours), .array(expected)) {
          throw Difference(text: "\(name), query\(difference)")
        }
        if step["fail"] != true {
          var answers = numbers.map { exchanges[$0]["answer"] ?? [:] }
          let main = answers.removeFirst()
          var counts = FacetCounts(of: try Self.page(main))
          for (query, answer) in zip(queries.facetQueries, answers) {
            counts.merge(
              FacetCounts(of: try Self.page(answer)), for: query.purpose, of: target.state)
          }
          target.results = IndexResults(page: try Self.page(main), counts: counts)
          answered = target.state
        } else {
          // After a failure InstantSearch.js returns to the last state that was answered.
          target.state = answered
        }
      } else if ours != sent {
        throw Difference(text: "\(name): ours sends queries, nothing was recorded")
      }
      sent = ours
      var uiState = UIState()
      uiState[index] = screen.uiState(of: target.state)
      var expected = try (step["uiState"] ?? [:]).decode(UIState.self)
      expected[index].configure = SearchQuery()
      if uiState != expected {
        throw Difference(
          text: """
            \(name), UI state: \(firstDifference(
              try JSON(encoding: uiState), try JSON(encoding: expected)) ?? "")
            """)
      }
    }
  }

  private static func page(_ answer: JSON) throws -> HitsPage<IndexResults.UnreadRecord> {
    var answer = answer
    if case .object(var members) = answer {
      members["hits"] = []
      answer = .object(members)
    }
    return try answer.decode(HitsPage<IndexResults.UnreadRecord>.self)
  }
}

extension JSON {
  /// A query without facets that no widget declares. InstantSearch.js still requests the facet of a
  /// rating menu that was removed.
  fileprivate func leavingOut(facets: Set<String>, declared parameters: WidgetParameters) -> JSON {
    guard case .object(var members) = self, let names = members["facets"]?.strings else {
      return self
    }
    let needless = facets.subtracting(parameters.disjunctiveFacets)
    members["facets"] = .array(names.filter { !needless.contains($0) }.map(JSON.string))
    return .object(members)
  }
}
