import AsyncInstantSearch

/// The rules by which a view is compared with a recorded one.
struct ViewComparison {
  let type: String
  let options: JSON
  /// Whether the order of values of equal count is open.
  let isTied: Bool
  /// The number of queries that InstantSearch.js sent needlessly.
  let needlessCount: Int
  /// Whether there are results.
  let hasResults: Bool
  /// Whether the step is a search for values of the widget.
  let isSearching: Bool
  /// The values of the widget's facet that the service hides.
  let hidden: Set<String>
  /// The values of the widget's facet that InstantSearch.js drops.
  let dropped: Set<String>

  /// The first difference; `nil` if the views agree.
  func difference(_ ours: JSON, _ recorded: JSON) -> String? {
    var ours = comparable(ours)
    var recorded = comparable(recorded, isRecorded: true)
    if isTied {
      let name = ours["isShowingMore"] == true ? "showMoreLimit" : "limit"
      let limit = options[name]?.intValue ?? (name == "limit" ? 10 : 20)
      ours = sortedByCount(ours, limit: limit)
      recorded = sortedByCount(recorded, limit: limit)
    }
    switch type {
    case "breadcrumb": return breadcrumbDifference(ours, recorded)
    case "refinementList":
      // InstantSearch.js leaves a search for values with each render, ours with the next results.
      if ours["isFromSearch"] == true, recorded["isFromSearch"] == false, !isSearching {
        return nil
      }
      if recorded["isFromSearch"] == true { recorded = withoutHidden(recorded) }
      (ours, recorded) = withoutDropped(ours, recorded)
    case "stats" where !hasResults && ours["hitsPerPage"] == nil:
      // InstantSearch.js has the parameters of Configure in its state.
      recorded = recorded.leavingOut(["hitsPerPage"])
    case "clearRefinements" where !hasResults:
      // InstantSearch.js has nothing to clear before the first results.
      return nil
    default: break
    }
    return firstDifference(ours, recorded)
  }

  private func comparable(_ view: JSON, isRecorded: Bool = false) -> JSON {
    guard case .object(var members) = view else { return view }
    switch type {
    case "refinementList":
      // During a search for values, the recorded one is that of the values before the search.
      if members["isFromSearch"] == true { members["hasExhaustiveItems"] = nil }
    case "stats" where isRecorded:
      // Each query counts 1 ms.
      if let time = members["processingTimeMS"]?.intValue, time > 0 {
        members["processingTimeMS"] = .int(Int64(time - needlessCount))
      }
    case "toggleRefinement":
      // Which of both values are refined depends on whether the answer has them. The state of the
      // whole is compared.
      if case .object(var value)? = members["value"] {
        for name in ["onFacetValue", "offFacetValue"] {
          // Before the first results, the counts are 0 there.
          value[name] = value[name]?.leavingOut(
            hasResults ? ["isRefined"] : ["isRefined", "count"])
        }
        members["value"] = .object(value)
      }
    case "numericMenu" where isRecorded:
      members["items"] = members["items"].map { items in
        .array(
          (items.arrayValue ?? []).compactMap { item in
            guard case .object(var item) = item else { return item }
            let bounds = SessionWidget.bounds(item["value"]?.stringValue ?? "") ?? NumberBounds()
            if SessionWidget.isInverted(bounds) { return nil }
            item["value"] = .string(bounds.description)
            return .object(item)
          })
      }
    case "currentRefinements":
      members["items"] = members["items"].map { comparableGroups($0.arrayValue ?? []) }
    default: break
    }
    return .object(members)
  }

  /// The groups of one kind have the order of a JavaScript object. A count that is not known can be
  /// absent or null.
  private func comparableGroups(_ groups: [JSON]) -> JSON {
    func kind(_ group: JSON) -> JSON? { group["refinements"]?[0]?["type"] }
    var kinds: [JSON] = []
    for group in groups {
      if let kind = kind(group), !kinds.contains(kind) { kinds.append(kind) }
    }
    let sorted = kinds.flatMap { kind in
      groups.filter { group in group["refinements"]?[0]?["type"] == kind }
        .sorted {
          ($0["attribute"]?.stringValue ?? "") < ($1["attribute"]?.stringValue ?? "")
        }
    }
    return .array(
      sorted.map { group in
        guard case .object(var members) = group else { return group }
        let items = (members["refinements"]?.arrayValue ?? []).map { item in
          // With a root path, InstantSearch.js does not find the counts of hierarchies. It has none
          // for a value with a leading minus that no answer has.
          let isUnknown =
            item["type"] == "hierarchical" || item["count"] == nil || item["count"] == .null
            || (item["count"] == 0 && item["value"]?.stringValue?.hasPrefix("\\-") == true)
          return unescapedLabel(isUnknown ? item.leavingOut(["count", "exhaustive"]) : item)
        }
        members["refinements"] = .array(items)
        return .object(members)
      })
  }

  /// InstantSearch.js also finds values that the service hides.
  private func withoutHidden(_ view: JSON) -> JSON {
    guard case .object(var members) = view else { return view }
    let items = members["items"]?.arrayValue ?? []
    members["items"] = .array(items.filter { !hidden.contains($0["label"]?.stringValue ?? "") })
    return .object(members)
  }

  /// Without the dropped values, in whose place InstantSearch.js may show the next ones.
  private func withoutDropped(_ ours: JSON, _ recorded: JSON) -> (JSON, JSON) {
    guard case .object(var members) = ours, case .object(var expected) = recorded,
      let items = members["items"]?.arrayValue, let expectedItems = expected["items"]?.arrayValue
    else { return (ours, recorded) }
    let known = Set(expectedItems.compactMap { $0["label"]?.stringValue })
    let missing = dropped.subtracting(known)
    if missing.isEmpty || members["isFromSearch"] == true { return (ours, recorded) }
    let kept = items.filter { !missing.contains($0["label"]?.stringValue ?? "") }
    members["items"] = .array(kept)
    expected["items"] = .array(Array(expectedItems.prefix(kept.count)))
    let flags: Set = ["hasExhaustiveItems", "canToggleShowMore", "canRefine"]
    return (JSON.object(members).leavingOut(flags), JSON.object(expected).leavingOut(flags))
  }

  /// The label of a hierarchical refinement that no answer has is escaped in InstantSearch.js.
  private func unescapedLabel(_ item: JSON) -> JSON {
    guard case .object(var members) = item else { return item }
    members["label"] = .string((item["label"]?.stringValue ?? "").unescapedFacetValue)
    return .object(members)
  }

  /// InstantSearch.js shows only the levels that are in the answer.
  private func breadcrumbDifference(_ ours: JSON, _ recorded: JSON) -> String? {
    let count = recorded["items"]?.arrayValue?.count ?? 0
    let items = ours["items"]?.arrayValue ?? []
    if count >= items.count { return firstDifference(ours, recorded) }
    let labels = items.prefix(count).map { $0["label"] ?? "" }
    let expected = (recorded["items"]?.arrayValue ?? []).map { $0["label"] ?? "" }
    return firstDifference(.array(labels), .array(expected), at: ".labels")
  }

  /// The items of each run of equal counts in the order of their labels. Of a list that may be cut
  /// off within the last run, that run has only counts.
  private func sortedByCount(_ view: JSON, limit: Int) -> JSON {
    switch view {
    case .object(var members):
      for name in ["items", "data"] {
        guard let items = members[name]?.arrayValue else { continue }
        var sorted: [JSON] = []
        var run: [JSON] = []
        for item in items.map({ sortedByCount($0, limit: limit) }) {
          if run.last?["count"] != item["count"] {
            sorted += run.sorted(by: isBefore)
            run = []
          }
          run.append(item)
        }
        let isCut = items.count >= limit
        members[name] = .array(
          sorted + (isCut ? run.map { ["count": $0["count"] ?? .null] } : run.sorted(by: isBefore)))
      }
      return .object(members)
    default: return view
    }
  }

  private func isBefore(_ first: JSON, _ second: JSON) -> Bool {
    (first["label"]?.stringValue ?? "") < (second["label"]?.stringValue ?? "")
  }
}
