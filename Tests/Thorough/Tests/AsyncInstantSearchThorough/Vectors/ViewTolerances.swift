@testable import AsyncInstantSearch
@testable import InstantSearchClient

/// What the view of a widget can differ in.
struct ViewTolerances {
  let widget: SessionWidget
  let screen: SearchScreen
  /// All widgets of the session.
  let widgets: [SessionWidget]
  /// Whether the order of values of equal count is open.
  let isTied: Bool
  /// The number of queries that InstantSearch.js sent needlessly.
  let needlessCount: Int
  /// Whether the step is a search for values of the widget.
  let isSearching: Bool

  private var hasResults: Bool { screen.results != nil }

  var all: [Tolerance] {
    var all = ofType
    if hasUncertainFacet { all += uncertain }
    if isTied { all.append(ties) }
    return all
  }

  private var ofType: [Tolerance] {
    switch widget.type {
    case "breadcrumb": breadcrumb
    case "refinementList": refinementList
    case "stats": stats
    case "toggleRefinement": toggle
    case "currentRefinements": currentRefinements
    case "clearRefinements":
      [
        .recorded(.clearBeforeResults) { view in
          guard !hasResults, let widget = widget.widget as? FilterClear else { return }
          let listed = screen.view(of: CurrentFilters(widget.attributes))
          view["canRefine"] = .bool(listed.canRefine)
        }
      ]
    case "numericMenu":
      [
        .recorded(.invertedItem) { view in
          view.change(["items"]) { $0.filter { !SessionWidget.isInverted($0["value"]) } }
        }
      ]
    default: []
    }
  }

  // MARK: Facets

  /// The order of the service for the values of an attribute.
  private func ordering(of attribute: String) -> FacetValuesOrder? {
    screen.results?.page.renderingContent?.facetOrdering?.values[attribute]
  }

  /// The number of values that a view shows at most.
  private func limit(of view: JSON) -> Int {
    let isShowingMore = view["isShowingMore"] == true
    return widget.options[isShowingMore ? "showMoreLimit" : "limit"]?.intValue
      ?? (isShowingMore ? 20 : 10)
  }

  /// The ranks of the values are those of the service's order, level by level.
  private var ties: Tolerance {
    let attributes =
      (widget.widget as? HierarchicalMenu)?.hierarchy.attributes ?? [widget.facet ?? ""]
    return Tolerance(.tiedRanks) { ours, recorded in
      let limit = limit(of: ours)
      let ranks = attributes.map { Ranks(ordering: ordering(of: $0), limit: limit) }
      ours.change(["items"]) { Ranks.sort(&$0, by: ranks[...]) }
      recorded.change(["items"]) { Ranks.sort(&$0, by: ranks[...]) }
    }
  }

  /// Whether dynamic facets request the facet of a widget by name. InstantSearch.js takes it for
  /// one whose values are joined by AND, so that other widgets show nothing.
  private var hasUncertainFacet: Bool {
    guard let facet = widget.facet else { return false }
    if let list = widget.widget as? FacetList, list.operator == .and { return false }
    return widgets.contains { ($0.widget as? DynamicFacets)?.facets.contains(facet) == true }
  }

  private var uncertain: [Tolerance] {
    [
      Tolerance(.uncertainFacet) { ours, recorded in
        if recorded["items"] != [] { return }
        for name in ["items", "canRefine", "canToggleShowMore"] where ours[name] != recorded[name] {
          ours[name] = nil
          recorded[name] = nil
        }
      }
    ]
  }

  private var refinementList: [Tolerance] {
    let hidden = Set(widget.facet.flatMap { ordering(of: $0)?.hide } ?? [])
    return [
      Tolerance(.facetSearchEnd) { ours, recorded in
        let isLeft = ours["isFromSearch"] == true && recorded["isFromSearch"] == false
        guard isLeft, !isSearching else { return }
        var closed = screen
        closed.state.opened.facetQueries = [:]
        ours = SessionViews(screen: closed).view(of: widget) ?? .null
      },
      Tolerance(.exhaustiveFacetSearch) { _, recorded in
        if recorded["isFromSearch"] == false { return }
        let count = recorded["items"]?.arrayValue?.count ?? 0
        recorded["hasExhaustiveItems"] = .bool(count < min(limit(of: recorded), 100))
      },
      .recorded(.hiddenInFacetSearch) { view in
        if view["isFromSearch"] == false { return }
        view.change(["items"]) { $0.filter { !hidden.contains($0["label"]?.stringValue ?? "") } }
      },
      .recorded(.unmarkedValue) { view in
        view.change(["items", "*"]) { item in
          if item["highlighted"] == item["label"] { item.remove(["highlighted"]) }
        }
      },
      Tolerance(.minusValue, withoutMinusValues),
    ]
  }

  /// Without the chosen values with a leading minus that no answer has, in whose place
  /// InstantSearch.js may show the next ones.
  private func withoutMinusValues(_ ours: inout JSON, _ recorded: inout JSON) {
    guard let items = recorded["items"]?.arrayValue, ours["isFromSearch"] == false else { return }
    let known = Set(items.compactMap { $0["label"]?.stringValue })
    func isMissing(_ item: JSON) -> Bool {
      let label = item["label"]?.stringValue ?? ""
      return item["count"] == 0 && label.hasPrefix("-") && !known.contains(label)
    }
    guard ours["items"]?.arrayValue?.contains(where: isMissing) == true else { return }
    ours.change(["items"]) { $0.filter { !isMissing($0) } }
    recorded["items"] = .array(Array(items.prefix(ours["items"]?.arrayValue?.count ?? 0)))
    for name in ["hasExhaustiveItems", "canToggleShowMore", "canRefine"]
    where ours[name] != recorded[name] {
      ours[name] = nil
      recorded[name] = nil
    }
  }

  private var breadcrumb: [Tolerance] {
    [
      // InstantSearch.js shows only the levels that the answers have.
      Tolerance(.breadcrumbVanishes) { ours, recorded in
        let count = recorded["items"]?.arrayValue?.count ?? 0
        guard let items = ours["items"]?.arrayValue, count < items.count, !isAnswered(level: count)
        else { return }
        ours = ["items": .array(Array(items.prefix(count))), "canRefine": .bool(count > 0)]
      },
      // The value of a recorded item is the path of the next one, which is removed.
      .ours(.breadcrumbValue) { view in
        let items = view["items"]?.arrayValue ?? []
        let next = items.dropFirst().map { $0["value"] ?? .null } + [.null]
        view["items"] = .array(
          zip(items, next).map { ["label": $0["label"] ?? .null, "value": $1] })
      },
    ]
  }

  /// Whether the answers have the value of a step of the breadcrumb, counted from 0.
  private func isAnswered(level: Int) -> Bool {
    guard let breadcrumb = widget.widget as? Breadcrumb, let counts = screen.results?.counts,
      let path = screen.view(of: breadcrumb).items.map(\.path).dropFirst(level).first
    else { return false }
    return breadcrumb.hierarchy.attributes.contains { counts.facets[$0]?[path] != nil }
  }

  // MARK: Numbers

  private var stats: [Tolerance] {
    [
      // Each query counts 1 ms.
      .ours(.needlessOwnQuery) { view in
        guard let time = view["processingTimeMS"]?.intValue, time > 0 else { return }
        view["processingTimeMS"] = .int(Int64(time + needlessCount))
      },
      .recorded(.unknownTime) {
        if $0["processingTimeMS"] == -1 { $0.remove(["processingTimeMS"]) }
      },
      Tolerance(.configuredHitsPerPage) { ours, recorded in
        if !hasResults, ours["hitsPerPage"] == nil { recorded.remove(["hitsPerPage"]) }
      },
    ]
  }

  private var toggle: [Tolerance] {
    [
      .both(.toggleSides) { view in
        for side in ["onFacetValue", "offFacetValue"] {
          view.remove(["isRefined"], at: "value", side)
        }
      },
      .recorded(.toggleBeforeResults) { view in
        if hasResults { return }
        for side in ["onFacetValue", "offFacetValue"] {
          view.change(["value", side, "count"]) { if $0 == 0 { $0 = .null } }
        }
      },
    ]
  }

  // MARK: Current filters

  private var currentRefinements: [Tolerance] {
    let refinements = ["items", "*", "refinements", "*"][...]
    return [
      .both(.groupOrder) { $0.change(["items"], Self.sortGroups) },
      Tolerance(.unknownCount) { ours, recorded in
        recorded.change(refinements) { item in
          if item["count"]?.intValue == nil { item.remove(Self.count) }
        }
        let expected = recorded
        ours.change(refinements) { item in
          if !Self.hasCount(of: item, in: expected) { item.remove(Self.count) }
        }
      },
    ]
  }

  /// Sorts the groups of each kind, whose order is that of a JavaScript object.
  private static func sortGroups(_ groups: inout JSON) {
    func kind(_ group: JSON) -> JSON? { group["refinements"]?[0]?["type"] }
    let elements = groups.arrayValue ?? []
    var kinds: [JSON?] = []
    for group in elements where !kinds.contains(kind(group)) { kinds.append(kind(group)) }
    groups = .array(
      kinds.flatMap { kind in
        elements.filter { $0["refinements"]?[0]?["type"] == kind }.sorted {
          ($0["attribute"]?.stringValue ?? "") < ($1["attribute"]?.stringValue ?? "")
        }
      })
  }

  private static let count: Set = ["count", "exhaustive"]

  /// Whether a view has the count of a refinement.
  private static func hasCount(of item: JSON, in view: JSON) -> Bool {
    let others = (view["items"]?.arrayValue ?? []).flatMap { $0["refinements"]?.arrayValue ?? [] }
    return others.contains { other in
      other["count"] != nil
        && ["attribute", "type", "value", "operator"].allSatisfy { item[$0] == other[$0] }
    }
  }
}

extension Tolerance {
  /// What states of the user interface can differ in.
  static func states(_ others: [Tolerance] = []) -> [Tolerance] {
    [
      .ours(.openedPartsInURL) { state in
        state.remove(["showMore", "facetQuery", "refineOnMapMove"], at: "*")
      },
      .recorded(.configureInState) { $0.remove(["configure"], at: "*") },
    ] + others + [.both(.emptyParts) { $0 = $0.withoutEmptyParts }]
  }

  /// What a link can differ in that has tags.
  static func link(tags: [String], index: String) -> [Tolerance] {
    tags.compactMap { tag in
      switch Exemption(tag: tag) {
      case .linkPage1?:
        .recorded(.linkPage1) { state in
          state.change([index]) { if $0["page"] == "1" { $0["page"] = nil } }
        }
      case .linkKeepsPage?: .recorded(.linkKeepsPage) { $0.remove(["page"], at: index) }
      case .linkKeepsHitsPerPage?:
        .recorded(.linkKeepsHitsPerPage) { $0.remove(["hitsPerPage"], at: index) }
      case .linkDropsRootPath?:
        Tolerance(.linkDropsRootPath) { ours, recorded in
          let known = recorded[index]?["hierarchicalMenu"]
          ours.change([index, "hierarchicalMenu"]) { menus in
            for name in (menus.objectValue ?? [:]).keys where known?[name] == nil {
              menus[name] = nil
            }
          }
        }
      default: nil
      }
    }
  }
}
