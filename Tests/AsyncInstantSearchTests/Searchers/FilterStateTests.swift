import AsyncInstantSearch
import TestSupport
import Testing

struct FilterStateTests {
  @Test func transactionIsOneUpdateOrNoneWithoutAChange() async {
    let state = FilterState()
    let updates = state.updates(buffering: .unbounded)
    #expect(
      state.update {
        $0[or: "brand"].add("brand" == "Apple", "brand" == "Sony")
        $0[and: "price"].add("price" < 500)
      })
    #expect(!state.update { $0[or: "brand"].add("brand" == "Sony") })
    #expect(
      !state.update {
        $0[or: "brand"].toggle("brand" == "Sony")
        $0[or: "brand"].toggle("brand" == "Sony")
      })
    state.update { $0.removeAll() }
    var texts: [String?] = []
    for await groups in updates {
      texts.append(groups.text)
      if texts.count == 3 { break }
    }
    expectEqual(
      texts, [nil, #"("brand":"Apple" OR "brand":"Sony") AND "price" < 500"#, nil])
  }

  @Test func concurrentTransactionsAreAllApplied() async {
    let state = FilterState()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for value in 0..<50 {
            state.update { $0[or: "a"].add("a" == "\(number)-\(value)") }
          }
        }
      }
    }
    expectEqual(state.groups[or: "a"].count, 400)
  }

  @Test func deallocatingTheStateEndsItsStreams() async {
    var state: FilterState? = FilterState()
    weak let released = state
    guard let updates = state?.updates else { return }
    state = nil
    #expect(released == nil)
    var count = 0
    for await _ in updates { count += 1 }
    expectEqual(count, 1)
  }

  @Test func groupsOfOneNameAndDifferentKindsAreDifferent() {
    var groups = FilterGroups()
    groups[or: "a"].add("a" == "x")
    groups[or: "a", Filter.Numeric.self].add("a" > 1)
    groups[and: "a"].add(Filter.Tag("t"))
    expectEqual(groups.filters.count, 3)
    groups[or: "a"].removeAll()
    expectEqual(groups[or: "a", Filter.Numeric.self].count, 1)
    expectEqual(groups[and: "a"].count, 1)
    groups.removeAll(except: .and("a"))
    expectEqual(groups.filters, [.tag("t")])
  }

  @Test func filtersAreFoundAndRemovedInEveryGroup() {
    var groups = FilterGroups()
    groups[or: "one"].add("brand" == "Apple", "color" == "red")
    groups[and: "two"].add("brand" == "Apple")
    #expect(groups.contains("brand" == "Apple"))
    expectEqual(groups.filters(for: "brand").count, 2)
    expectEqual(groups.disjunctiveAttributes, ["brand", "color"])
    let wasThere = groups.remove("brand" == "Apple")
    let isThere = groups.remove("brand" == "Apple")
    #expect(wasThere && !isThere)
    expectEqual(groups.filters, [.facet("color" == "red")])
    groups.removeAll(for: "color")
    #expect(groups.isEmpty)
    expectEqual(groups, FilterGroups())
  }

  @Test func pathOfAHierarchyIsFoundAtEveryLevel() {
    var groups = FilterGroups()
    groups[hierarchical: "menu"].path = ["lvl0" == "A", "lvl1" == "A > B"]
    #expect(groups.contains("lvl0" == "A") && groups.contains("lvl1" == "A > B"))
    #expect(!groups.contains("lvl0" == "B"))
    expectEqual(groups.filters, [.facet("lvl1" == "A > B")])
    let isRemoved = groups.remove("lvl0" == "A")
    #expect(isRemoved && groups.isEmpty)
  }

  @Test func filterIsToggledByValue() {
    var list: FilterList<Filter.Facet> = ["a" == "x"]
    list.toggle("a" == "x", "a" == "y")
    expectEqual(list, ["a" == "y"])
    var mixed: FilterList<Filter> = [.tag("new")]
    mixed.toggle("a" == "x")
    mixed.toggle(Filter.Tag("new"))
    expectEqual(mixed, [.facet("a" == "x")])
  }

  @Test func equalGroupsHaveEqualHashes() {
    var groups = FilterGroups()
    groups[or: "a"].add("a" == "x", "a" == "y", "a" == "z")
    var same = FilterGroups()
    same[or: "a"].add("a" == "z", "a" == "x", "a" == "y")
    #expect(groups == same && Set([groups, same]).count == 1)
  }

  @Test func hierarchyWithoutPathIsEmpty() {
    var groups = FilterGroups()
    groups[hierarchical: "menu"].path = ["lvl0" == "A"]
    #expect(!groups.isEmpty)
    groups.removeAll(except: .and("menu"))
    #expect(groups.isEmpty)
    expectEqual(groups, FilterGroups())
    groups[hierarchical: "menu"] = HierarchicalFilters(attributes: ["lvl0"], path: ["lvl0" == "A"])
    groups[hierarchical: "other"].path = ["lvl0" == "B"]
    groups.removeAll(except: .hierarchical("other"))
    expectEqual(groups[hierarchical: "menu"], HierarchicalFilters(attributes: ["lvl0"]))
    expectEqual(groups.filters, [.facet("lvl0" == "B")])
  }

  @Test func onlyFacetsJoinedByOrAreDisjunctive() {
    var groups = FilterGroups()
    groups[or: "a", Filter.Numeric.self].add("price" > 1)
    groups[or: "a", Filter.Tag.self].add("new")
    groups[and: "a"].add("brand" == "Apple")
    #expect(groups.disjunctiveAttributes.isEmpty)
  }

  @Test func filterIsInAListOnce() {
    var list: FilterList<Filter.Facet> = ["a" == "x", "a" == "y", "a" == "x"]
    list.add("a" == "y", "a" == "z", "a" == "z")
    let once: [Filter.Facet] = ["a" == "x", "a" == "y", "a" == "z"]
    expectEqual(Array(list), once)
  }

  @Test func stateCopiesTheFiltersOfAnother() {
    let other = FilterState()
    other.update { $0[and: "a"].add("a" == "x") }
    let state = FilterState()
    state.update { $0[and: "b"].add("b" == "y") }
    state.setContent(of: other)
    expectEqual(state.groups, other.groups)
    expectEqual(state.text, #""a":"x""#)
  }
}
