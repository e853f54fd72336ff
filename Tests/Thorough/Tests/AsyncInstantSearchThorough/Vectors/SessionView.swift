@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient

/// The views of the widgets of a session, in the recorded form.
struct SessionViews {
  let screen: SearchScreen

  /// The view of a widget; `nil` while it is inactive.
  func view(of session: SessionWidget) -> JSON? {
    guard let widget = session.widget else { return hits }
    if !screen.isActive(widget) { return nil }
    func view<W: SearchWidget>(_ widget: W) -> W.View { screen.view(of: widget) }
    switch widget {
    case let widget as SearchBox: return ["query": .string(view(widget).query)]
    case let widget as SearchStats: return Self.json(view(widget))
    case let widget as RelevantSort:
      let view = view(widget)
      return [
        "isRelevantSorted": .bool(view.isRelevantSorted),
        "isVirtualReplica": .bool(view.canRefine), "canRefine": .bool(view.canRefine),
      ]
    case let widget as Pagination: return Self.json(view(widget))
    case let widget as FacetList: return Self.json(view(widget), of: widget)
    case let widget as FacetMenu: return Self.json(view(widget))
    case let widget as HierarchicalMenu:
      let view = view(widget)
      return [
        "items": .array(view.items.map(Self.json)), "canRefine": .bool(view.canRefine),
        "canToggleShowMore": .bool(view.canToggleShowMore),
        "isShowingMore": .bool(view.isShowingMore),
      ]
    case let widget as Breadcrumb: return Self.json(view(widget))
    case let widget as NumberRange: return Self.json(view(widget))
    case let widget as NumericMenu: return Self.json(view(widget))
    case let widget as RatingMenu: return Self.json(view(widget))
    case let widget as FilterToggle: return Self.json(view(widget), of: widget)
    case let widget as SortBy: return Self.json(view(widget))
    case let widget as HitsPerPage: return Self.json(view(widget), of: widget)
    case let widget as CurrentFilters: return Self.json(view(widget), in: screen.indexName)
    case let widget as FilterClear: return ["canRefine": .bool(view(widget).canRefine)]
    case is Configure: return [:]
    case let widget as RuleContexts: return ["items": .array(view(widget).userData)]
    case let widget as DynamicFacets:
      return ["attributesToRender": .array(view(widget).attributes.map(JSON.string))]
    case let widget as InfiniteHits<JSON>: return Self.json(view(widget))
    case let widget as GeoSearch<JSON>: return Self.json(view(widget))
    default: return nil
    }
  }

  /// Plain hits, as a page of a searcher has them.
  private var hits: JSON {
    guard let page = screen.results?.page(of: JSON.self) else { return ["items": []] }
    let first = page.page * page.hitsPerPage + 1
    return [
      "items": .array(zip(first..., page.hits).map { [$1["objectID"] ?? "", Self.number($0)] })
    ]
  }

  // MARK: Numbers

  static func json(_ view: SearchStats.View) -> JSON {
    var members: [String: JSON] = [
      "nbHits": number(view.nbHits), "areHitsSorted": .bool(view.areHitsSorted),
      "nbPages": number(view.nbPages), "page": number(view.page), "query": .string(view.query),
    ]
    members["processingTimeMS"] = view.processingTimeMS.map(number)
    members["nbSortedHits"] = view.nbSortedHits.map(number)
    members["hitsPerPage"] = view.hitsPerPage.map(number)
    return .object(members)
  }

  static func json(_ view: Pagination.View) -> JSON {
    [
      "pages": .array(view.pages.map(number)), "currentRefinement": number(view.currentPage),
      "nbPages": number(view.nbPages), "nbHits": number(view.nbHits),
      "isFirstPage": .bool(view.isFirstPage), "isLastPage": .bool(view.isLastPage),
      "canRefine": .bool(view.canRefine),
    ]
  }

  static func json(_ view: NumberRange.View) -> JSON {
    [
      "range": ["min": .double(view.minimum), "max": .double(view.maximum)],
      "start": [
        view.lowerBound.map(JSON.double) ?? "-inf", view.upperBound.map(JSON.double) ?? "inf",
      ],
      "canRefine": .bool(view.canRefine),
    ]
  }

  static func json(_ view: NumericMenu.View) -> JSON {
    [
      "items": .array(
        view.items.enumerated().map { position, item in
          [
            "label": .string(item.label), "value": .string(value(of: item.bounds)),
            "isRefined": .bool(position == view.selected),
          ]
        }),
      "canRefine": .bool(view.canRefine),
    ]
  }

  /// The value of an item of a numeric menu, which is percent-encoded JSON.
  private static func value(of bounds: NumberBounds) -> String {
    let members = [("start", bounds.lower), ("end", bounds.upper)].compactMap { name, number in
      number.map { "%22\(name)%22:\($0.plainNumber)" }
    }
    return "%7B\(members.joined(separator: ","))%7D"
  }

  static func json(_ view: RatingMenu.View) -> JSON {
    [
      "items": .array(
        view.items.map { item in
          let name = JSON.string("\(item.rating)")
          return [
            "stars": .array(item.stars.map(JSON.bool)), "name": name, "label": name,
            "value": name, "count": number(item.count ?? 0), "isRefined": .bool(item.isRefined),
          ]
        }),
      "canRefine": .bool(view.canRefine),
    ]
  }

  // MARK: Facets

  static func json(_ view: FacetList.View, of widget: FacetList) -> JSON {
    [
      "items": .array(
        view.items.map { item in
          var members: [String: JSON] = [
            "value": .string(item.value.escapedFacetValue), "label": .string(item.value),
            "count": number(item.count ?? 0), "isRefined": .bool(item.isRefined),
          ]
          members["highlighted"] = (item.highlighted?.raw).map(JSON.string)
          if widget.operator == .and, !view.isFromSearch {
            members["isExcluded"] = .bool(item.isExcluded)
          }
          return .object(members)
        }),
      "isFromSearch": .bool(view.isFromSearch), "canRefine": .bool(view.canRefine),
      "canToggleShowMore": .bool(view.canToggleShowMore),
      "isShowingMore": .bool(view.isShowingMore),
      "hasExhaustiveItems": .bool(view.hasExhaustiveItems),
    ]
  }

  static func json(_ view: FacetMenu.View) -> JSON {
    [
      "items": .array(
        view.items.map { item in
          [
            "value": .string(item.value.escapedFacetValue), "label": .string(item.value),
            "count": number(item.count ?? 0), "isRefined": .bool(item.isRefined),
            "exhaustive": .bool(view.hasExactCounts), "data": .null,
          ]
        }),
      "canRefine": .bool(view.canRefine), "canToggleShowMore": .bool(view.canToggleShowMore),
      "isShowingMore": .bool(view.isShowingMore),
    ]
  }

  static func json(_ node: FacetTreeNode) -> JSON {
    [
      "value": .string(node.value.escapedFacetValue), "label": .string(node.name),
      "count": number(node.count), "isRefined": .bool(node.isRefined),
      "exhaustive": .bool(node.isExhaustive),
      "data": node.children.map { .array($0.map(json)) } ?? .null,
    ]
  }

  static func json(_ view: Breadcrumb.View) -> JSON {
    [
      "items": .array(
        view.items.map {
          ["label": .string($0.label), "value": .string($0.path.escapedFacetValue)]
        }),
      "canRefine": .bool(view.canRefine),
    ]
  }

  static func json(_ view: FilterToggle.View, of widget: FilterToggle) -> JSON {
    [
      "value": [
        "name": .string(widget.attribute), "isRefined": .bool(view.isOn),
        "count": view.count.map(number) ?? .null,
        "onFacetValue": [
          "isRefined": .bool(view.isOn), "count": view.onCount.map(number) ?? .null,
        ],
        "offFacetValue": [
          "isRefined": .bool(!view.isOn && !widget.off.isEmpty),
          "count": view.offCount.map(number) ?? .null,
        ],
      ],
      "canRefine": .bool(view.canRefine),
    ]
  }

  // MARK: Choices

  static func json(_ view: SortBy.View) -> JSON {
    [
      "currentRefinement": .string(view.current), "canRefine": .bool(view.canRefine),
      "options": .array(
        view.items.map { ["label": .string($0.label), "value": .string($0.indexName)] }),
    ]
  }

  static func json(_ view: HitsPerPage.View, of widget: HitsPerPage) -> JSON {
    [
      "items": .array(
        view.items.map { item in
          var members: [String: JSON] = [
            "label": .string(item.label), "value": number(item.count),
            "isRefined": .bool(item.count == view.current),
          ]
          if item.count == widget.defaultCount { members["default"] = true }
          return .object(members)
        }),
      "canRefine": .bool(view.canRefine),
    ]
  }

  static func json(_ view: CurrentFilters.View, in indexID: String) -> JSON {
    let groups = view.groups.map { group -> JSON in
      [
        "indexName": .string(group.indexName), "indexId": .string(indexID),
        "attribute": .string(group.attribute), "label": .string(group.attribute),
        "refinements": .array(group.items.map(json)),
      ]
    }
    return ["items": .array(groups), "canRefine": .bool(view.canRefine)]
  }

  static func json(_ item: CurrentFilters.Item) -> JSON {
    var members: [String: JSON] = [
      "attribute": .string(item.attribute), "type": .string(item.kindName),
      "value": .string(item.value.escapedFacetValue), "label": .string(item.label),
    ]
    if item.kind == .numeric { members["value"] = Double(item.value).map(JSON.double) }
    members["operator"] = (item.operator?.rawValue).map(JSON.string)
    members["count"] = item.count.map(number)
    members["exhaustive"] = item.isExhaustive.map(JSON.bool)
    return .object(members)
  }

  // MARK: Hits

  static func json(_ view: InfiniteHits<JSON>.View) -> JSON {
    func ids(_ items: [InfiniteHits<JSON>.Item]) -> [JSON] {
      items.map { $0.record["objectID"] ?? "" }
    }
    let current = view.pages.first { $0.number == view.currentPage }
    return [
      "items": .array(zip(ids(view.items), view.items).map { [$0, number($1.position ?? 0)] }),
      "currentPageHits": .array(ids(current?.items ?? [])),
      "isFirstPage": .bool(view.isFirstPage), "isLastPage": .bool(view.isLastPage),
    ]
  }

  static func json(_ view: GeoSearch<JSON>.View) -> JSON {
    func point(_ point: Point) -> JSON {
      ["lat": .double(point.latitude), "lng": .double(point.longitude)]
    }
    var members: [String: JSON] = [
      "items": .array(view.items.map { $0["objectID"] ?? "" }),
      "isRefinedWithMap": .bool(view.isRefinedWithMap),
      "isRefineOnMapMove": .bool(view.isRefineOnMapMove),
      "hasMapMoveSinceLastRefine": .bool(view.hasMapMoveSinceLastRefine),
    ]
    members["position"] = view.position.map(point)
    members["currentRefinement"] = view.corners.map {
      ["northEast": point($0.northEast), "southWest": point($0.southWest)]
    }
    return .object(members)
  }

  static func number(_ number: Int) -> JSON { .int(Int64(number)) }
}
