@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
import Testing

extension VectorsOfInstantSearchTests {
  /// Widgets agree with the recorded cases of single functions.
  @Suite struct VectorsWidgetTests {
    @Test func paginations() throws {
      for vector in try VectorFiles.functions("pagination", as: "paginations") {
        let widget = Pagination(
          padding: vector["options"]?["padding"]?.intValue ?? 3,
          totalPages: vector["options"]?["totalPages"]?.intValue)
        var screen = try SearchScreen(indexName: "index", widgets: [widget])
        screen.state.query.page = vector["page"]?.intValue
        if let results = vector["results"], let nbPages = results["nbPages"]?.intValue {
          let page: JSON = ["nbHits": results["nbHits"] ?? 0, "nbPages": .int(Int64(nbPages))]
          screen.receive(try IndexResults(page, to: screen.plan()))
        }
        expectRecorded(SessionViews.json(screen.view(of: widget)), vector["expect"], vector, "view")
        expectRecorded(try screen.part["page"] ?? .null, vector["uiPage"], vector, "page")
      }
    }

    @Test func ratings() throws {
      for vector in try VectorFiles.functions("rating", as: "ratings") {
        let widget = RatingMenu(attribute: "grade", max: vector["max"]?.intValue ?? 5)
        var screen = try SearchScreen(indexName: "index", widgets: [widget])
        if let refined = vector["refined"]?.intValue { try screen.perform(widget.toggle(refined)) }
        expectRecorded(screen.numbers, vector["numericRefinements"], vector, "refinements")
        let response: JSON = [
          "nbHits": vector["nbHits"] ?? 0, "facets": ["grade": vector["data"] ?? []],
        ]
        screen.receive(try IndexResults(response.answer, to: screen.plan()))
        let view = SessionViews.json(screen.view(of: widget))
        expectRecorded(view["items"], vector["items"], vector, "items")
        expectRecorded(view["canRefine"], vector["canRefine"], vector, "canRefine")
        guard let recorded = vector["refine"], let text = recorded["value"]?.stringValue,
          let rating = Int(text)
        else { continue }
        try screen.perform(widget.toggle(rating))
        expectRecorded(
          ["numericRefinements": screen.numbers, "uiState": try screen.part],
          recorded.leavingOut(["value"]), vector, "refine",
          [.both(.emptyParts) { $0 = $0.withoutEmptyParts }])
      }
    }

    @Test func ranges() throws {
      for vector in try VectorFiles.functions("range", as: "ranges") {
        let options = vector["options"] ?? [:]
        let widget = NumberRange(
          attribute: "price", min: options["min"]?.doubleValue, max: options["max"]?.doubleValue,
          precision: options["precision"]?.intValue ?? 0)
        var screen = try SearchScreen(indexName: "index", widgets: [widget])
        if let text = vector["uiState"], !text.isNull {
          let part: JSON = ["range": ["price": text]]
          do {
            screen.read(try part.decode(IndexUIState.self), at: 0)
          } catch {
            VectorReport.current.excuse(.malformedState)
          }
        }
        if vector["afterResults"] == true {
          let stats = vector["stats"].map { JSON.object(["price": $0]) } ?? [:]
          screen.receive(try IndexResults(["facets_stats": stats], to: screen.plan()))
        }
        let tags = Set((vector["quirks"]?.strings ?? []).compactMap(Exemption.init(tag:)))
        let hasLimits = tags.contains(.rangeOptionBounds)
        var start = vector["first"]?["start"]
        var ours = SessionViews.json(screen.view(of: widget))
        ours["sent"] = try screen.sentBounds
        expectRecorded(
          ours, vector["first"], vector, "first",
          hasLimits ? [Self.limits(options)] : [])
        for step in vector["steps"]?.arrayValue ?? [] {
          let before = screen.state
          do {
            try screen.perform(
              widget.set(step["args"]?[0]?.bound, step["args"]?[1]?.bound))
          } catch {
            if step["searched"] == true, tags.contains(.rangeInverted) {
              // What follows depends on the inverted range.
              VectorReport.current.excuse(.rangeInverted)
              break
            }
            VectorReport.current.excuse(.rejectedAction)
          }
          ours["searched"] = .bool(!screen.state.isSameSearch(as: before))
          ours["sent"] = try screen.sentBounds
          ours["start"] = SessionViews.json(screen.view(of: widget))["start"]
          ours["uiState"] = try screen.part["range"]?["price"] ?? .null
          expectRecorded(
            ours.leavingOut(["range", "canRefine"]), step.leavingOut(["args"]), vector,
            "\(step["args"] ?? [])", hasLimits ? [Self.limits(options, before: start)] : [])
          start = step["start"]
        }
      }
    }

    /// InstantSearch.js has the limits of a range as refinements, which others replace. Ours are
    /// always sent.
    ///
    /// - Parameter before: The recorded start before the step; `nil` without a step.
    private static func limits(_ options: JSON, before: JSON? = nil) -> Tolerance {
      let lower = options["min"]?.doubleValue ?? -.infinity
      let upper = options["max"]?.doubleValue ?? .infinity
      func withoutLimits(_ start: inout JSON) {
        if let bound = start[0]?.doubleValue, bound <= lower { start[0] = "-inf" }
        if let bound = start[1]?.doubleValue, bound >= upper { start[1] = "inf" }
      }
      return .recorded(.rangeOptionBounds) { recorded in
        recorded.change(["start"], withoutLimits)
        recorded.change(["sent", ">="]) {
          if ($0.doubleValue ?? lower) < lower { $0 = .double(lower) }
        }
        recorded.change(["sent", "<="]) {
          if ($0.doubleValue ?? upper) > upper { $0 = .double(upper) }
        }
        guard var before, let start = recorded["start"] else { return }
        withoutLimits(&before)
        recorded["searched"] = .bool(start != before)
        let bounds = [start[0], start[1]].map { $0?.doubleValue?.plainNumber ?? "" }
        recorded["uiState"] = bounds == ["", ""] ? .null : .string(bounds.joined(separator: ":"))
      }
    }
  }
}

extension SearchScreen {
  /// The state of the user interface of the index.
  fileprivate var part: JSON {
    get throws { try JSON(encoding: uiState)["index"] ?? [:] }
  }

  /// The numbers of the comparisons that are refinements, by operator.
  fileprivate var numbers: JSON {
    var numbers: [String: JSON] = [:]
    for case .numeric(let filter) in state.filters.filters {
      if case .comparison(let sign, let number) = filter.value {
        numbers[sign.rawValue] = [.double(number)]
      }
    }
    return .object(numbers)
  }

  /// The bounds of the price in the query for hits.
  fileprivate var sentBounds: JSON {
    get throws {
      var bounds: [String: JSON] = [">=": .null, "<=": .null]
      for filter in try JSON(encoding: plan().hitsQuery)["numericFilters"]?.strings ?? [] {
        for sign in [">=", "<="] {
          let parts = filter.split(separator: sign)
          guard parts.count == 2, parts[0] == "price", let bound = Double(parts[1]) else {
            continue
          }
          // Of a limit and a refinement, the narrower one counts.
          let other = bounds[sign]?.doubleValue ?? bound
          bounds[sign] = .double(sign == ">=" ? max(bound, other) : min(bound, other))
        }
      }
      return .object(bounds)
    }
  }
}
