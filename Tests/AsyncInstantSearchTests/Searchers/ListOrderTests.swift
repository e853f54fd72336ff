@testable import AsyncInstantSearch
import TestSupport
import Testing

/// The order of facet values on a screen, and of filters in a request.
struct ListOrderTests {
  private static let values = [("c", 3), ("a", 1), ("b", 2), ("d", 4)].map { name, count in
    CountedValue(name: name, count: count, isRefined: false)
  }

  private func names(
    _ ordering: FacetValuesOrder?, isOverriding: Bool,
    by criteria: [FacetSortCriterion] = [.name(.ascending)]
  ) -> String {
    Self.values.ordered(by: criteria, ordering, isOverriding: isOverriding).map(\.name).joined()
  }

  @Test func valuesThatTheServerHidesAreHiddenInAnyOrder() {
    expectEqual(names(nil, isOverriding: false), "abcd")
    for isOverriding in [false, true] {
      let order = FacetValuesOrder(order: ["d", "b", "c"], hide: ["b"])
      expectEqual(names(order, isOverriding: isOverriding), isOverriding ? "acd" : "dca")
    }
    let pinned = FacetValuesOrder(order: ["d", "b"], sortRemainingBy: .hidden)
    expectEqual(names(pinned, isOverriding: false), "db")
    let alphabetical = FacetValuesOrder(order: ["d"], sortRemainingBy: .alphabetical)
    expectEqual(names(alphabetical, isOverriding: false), "dabc")
  }

  @Test func filtersAreInTheOrderOfTheCallbackLibrary() {
    var groups = FilterGroups()
    for value in ["b", "a", "c"] {
      groups[or: "any"].add(Filter.Facet(attribute: "z", stringValue: value))
    }
    groups[or: "any"].add(Filter.Facet(attribute: "y", stringValue: "last"))
    let query = FilterLists(groups).filter(SearchQuery())
    expectEqual(query.facetFilters, [["y:last", "z:a", "z:b", "z:c"]])
  }
}
