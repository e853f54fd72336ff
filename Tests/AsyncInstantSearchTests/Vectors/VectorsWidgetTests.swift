import AsyncInstantSearch
import Testing

/// Widgets agree with the recorded cases of single functions.
@Suite struct VectorsWidgetTests {
  @Test func paginations() throws {
    for vector in try VectorFiles.functions("pagination") {
      let widget = Pagination(
        padding: vector["options"]?["padding"]?.intValue ?? 3,
        totalPages: vector["options"]?["totalPages"]?.intValue)
      var state = IndexState("index")
      state.query.page = vector["page"]?.intValue
      let results = vector["results"].flatMap { Self.results($0) }
      let view = widget.view(WidgetContext(widget, state: state, results: results))
      let ours: JSON = [
        "pages": .array(view.pages.map { .int(Int64($0)) }),
        "currentRefinement": .int(Int64(view.currentPage)), "nbPages": .int(Int64(view.nbPages)),
        "nbHits": .int(Int64(view.nbHits)), "isFirstPage": .bool(view.isFirstPage),
        "isLastPage": .bool(view.isLastPage), "canRefine": .bool(view.canRefine),
      ]
      expectEqual(ours, vector["expect"], vector)
    }
  }

  @Test func ratings() throws {
    for vector in try VectorFiles.functions("rating") {
      let widget = try RatingMenu(attribute: "grade", max: vector["max"]?.intValue ?? 5)
      var target = WidgetContext(widget, state: IndexState("index"))
      if let refined = vector["refined"]?.intValue { try widget.toggle(refined).apply(&target) }
      #expect(Self.numbers(target.state, "grade") == vector["numericRefinements"])
      let counts = FacetCounts(vector: ["facets": ["grade": vector["data"] ?? []]])
      let results = IndexResults(
        page: HitsPage(nbHits: vector["nbHits"]?.intValue ?? 0), counts: counts)
      let view = widget.view(WidgetContext(widget, state: target.state, results: results))
      let items = view.items.map { item -> JSON in
        let name = JSON.string("\(item.rating)")
        return [
          "stars": .array(item.stars.map(JSON.bool)), "name": name, "label": name, "value": name,
          "count": .int(Int64(item.count)), "isRefined": .bool(item.isRefined),
        ]
      }
      expectEqual(.array(items), vector["items"], vector)
      expectEqual(.bool(view.canRefine), vector["canRefine"], vector)
      if let value = vector["refine"]?["value"]?.stringValue.flatMap({ Int($0) }) {
        try widget.toggle(value).apply(&target)
        expectEqual(
          Self.numbers(target.state, "grade"),
          Self.withoutEmptyLists(vector["refine"]?["numericRefinements"]), vector)
      }
    }
  }

  /// Cases in which limits are refinements, or an inverted range is sent, are not compared.
  @Test func ranges() throws {
    for vector in try VectorFiles.functions("range") where vector["quirks"] == [] {
      let options = vector["options"] ?? [:]
      let widget = try NumberRange(
        attribute: "price", min: options["min"]?.doubleValue, max: options["max"]?.doubleValue,
        precision: options["precision"]?.intValue ?? 0)
      var target = WidgetContext(widget, state: IndexState("index"))
      target.state.setBounds(vector["uiState"]?.stringValue ?? "")
      if vector["afterResults"] == true {
        var counts = FacetCounts()
        if let min = vector["stats"]?["min"]?.doubleValue,
          let max = vector["stats"]?["max"]?.doubleValue
        {
          counts.stats["price"] = FacetStats(min: min, max: max)
        }
        target.results = IndexResults(page: HitsPage(), counts: counts)
      }
      expectEqual(Self.view(widget, target), vector["first"], vector)
      for step in vector["steps"]?.arrayValue ?? [] {
        let before = target.state
        try? widget.set(Self.bound(step["args"]?[0]), Self.bound(step["args"]?[1])).apply(&target)
        expectEqual(.bool(before != target.state), step["searched"], vector)
        let view = Self.view(widget, target)
        expectEqual(view["sent"], step["sent"], vector)
        expectEqual(view["start"], step["start"], vector)
      }
    }
  }

  /// A recorded bound; text is parsed, as an application does.
  private static func bound(_ json: JSON?) -> Double? {
    switch json {
    case .string("nan")?: .nan
    case .string(let text)?: text.isEmpty ? nil : Double(text) ?? .nan
    default: json?.doubleValue
    }
  }

  private static func view(_ widget: NumberRange, _ context: NumberRange.Context) -> JSON {
    let view = widget.view(context)
    return [
      "sent": [
        ">=": view.lowerBound.map(JSON.double) ?? .null,
        "<=": view.upperBound.map(JSON.double) ?? .null,
      ],
      "range": ["min": .double(view.minimum), "max": .double(view.maximum)],
      "start": [
        view.lowerBound.map(JSON.double) ?? "-inf", view.upperBound.map(JSON.double) ?? "inf",
      ],
      "canRefine": .bool(view.canRefine),
    ]
  }

  private static func results(_ json: JSON) -> IndexResults? {
    json["nbPages"]?.intValue.map {
      IndexResults(
        page: HitsPage(nbHits: json["nbHits"]?.intValue ?? 0, nbPages: $0), counts: FacetCounts())
    }
  }

  /// InstantSearch.js keeps the operators whose numbers were removed.
  private static func withoutEmptyLists(_ numbers: JSON?) -> JSON {
    .object((numbers?.objectValue ?? [:]).filter { $0.value != [] })
  }

  /// The comparisons of an attribute, by operator.
  private static func numbers(_ state: IndexState, _ attribute: String) -> JSON {
    var numbers: [String: JSON] = [:]
    for case .numeric(let filter) in state.filters.filters(for: Attribute(attribute)) {
      if case .comparison(let sign, let number) = filter.value {
        numbers[sign.rawValue] = [.int(Int64(number))]
      }
    }
    return .object(numbers)
  }
}

extension IndexState {
  /// Refines the price by bounds such as `5:10`, either of which can be absent.
  fileprivate mutating func setBounds(_ text: String) {
    let bounds = text.split(separator: ":", omittingEmptySubsequences: false)
    if bounds.count != 2 { return }
    for (sign, bound) in zip([Filter.Numeric.Operator.greaterOrEqual, .lessOrEqual], bounds) {
      if let number = Double(bound) {
        filters[and: "price"].add(Filter.Numeric("price", sign, number))
      }
    }
  }
}
