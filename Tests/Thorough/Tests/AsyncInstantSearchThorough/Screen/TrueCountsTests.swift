import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

/// A count of a widget is the number of records that its choice finds, or it is missing, whatever
/// the other widgets of the screen list.
struct TrueCountsTests {
  private struct Product: Codable, Sendable {
    var objectID: String
    var brand: String
    var tags: [String]
    var rating: Double
    var isFree: Bool
  }

  /// What is chosen.
  private struct Choice {
    var brands: Set<String> = []
    var tags: Set<String> = []
    var rating: Int?
    var isFree = false

    func finds(_ product: Product) -> Bool {
      (brands.isEmpty || brands.contains(product.brand)) && tags.isSubset(of: product.tags)
        && (rating.map { (Double($0)...5).contains(product.rating) } ?? true)
        && (!isFree || product.isFree)
    }

    func changed(_ change: (inout Choice) -> Void) -> Choice {
      var copy = self
      change(&copy)
      return copy
    }
  }

  /// A number of values that no server takes lists none.
  @Test func negativeNumberOfValuesListsNone() throws {
    var test = try TestScreen(RatingMenu(attribute: "rating"))
    test.state.query.maxValuesPerFacet = -5
    try test.receive(["facets": ["rating": ["4": 2, "5": 1]]])
    expectEqual(test.view(RatingMenu(attribute: "rating")).items.first?.count, 3)
  }

  @Test(arguments: Seed.all(60)) func countsAreThoseOfTheRecords(seed: Seed) async throws {
    var generator = SeededGenerator(seed: seed.value)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    // Few values are frequent, and many are rare.
    func rank(_ count: Int) -> Int { number(0...number(0...count)) }
    let products = (0..<400).map { number in
      Product(
        objectID: "\(number)", brand: "b\(rank(60))",
        tags: Set((0...2).map { _ in "t\(rank(40))" }).sorted(),
        rating: Double(Int.random(in: 0...50, using: &generator)) / 10, isFree: rank(9) == 0)
    }
    let engine = try await LocalSearch(
      indexName: "products", records: products,
      settings: IndexSettings(attributesForFaceting: ["brand", "tags", "rating", "isFree"]))
    let brand = FacetList(
      attribute: "brand", limit: number(1...15), keepsSelected: Bool.random(using: &generator))
    let tags = FacetList(
      attribute: "tags", operator: .and, limit: number(1...15),
      keepsSelected: Bool.random(using: &generator))
    let rating = RatingMenu(attribute: "rating")
    let isFree = FilterToggle(attribute: "isFree")
    let chosen = CurrentFilters()
    // Any set of widgets.
    let all: [String: any SearchWidget] = [
      "brand": brand, "tags": tags, "rating": rating, "isFree": isFree, "chosen": chosen,
    ]
    let names = all.keys.sorted().shuffled(using: &generator).prefix(number(2...5))
    let searcher = HitsSearcher(client: SearchClient(transport: engine), indexName: "products")
    let live = try searcher.connect(
      SearchScreen(indexName: "products", widgets: names.compactMap { all[$0] }))
    func has(_ name: String) -> Bool { names.contains(name) }
    func count(_ choice: Choice) -> Int { products.count(where: choice.finds) }

    var choice = Choice()
    for _ in 0..<12 {
      switch number(0...3) {
      case 0 where has("brand"):
        let value = "b\(rank(60))"
        try live.perform(brand.toggle(value))
        choice.brands.formSymmetricDifference([value])
      case 1 where has("tags"):
        let value = "t\(rank(40))"
        try live.perform(tags.toggle(value))
        choice.tags.formSymmetricDifference([value])
      case 2 where has("rating"):
        let value = number(1...4)
        try live.perform(rating.toggle(value))
        choice.rating = choice.rating == value ? nil : value
      case 3 where has("isFree"):
        choice.isFree.toggle()
        try live.perform(isFree.set(choice.isFree))
      default: continue
      }
      try await searcher.search()
      if has("brand") {
        for item in live.view(of: brand).items {
          let expected = count(choice.changed { $0.brands = [item.value] })
          #expect(
            item.count == expected || item.count == nil && item.isRefined, "\(item) \(choice)")
          expectEqual(item.isRefined, choice.brands.contains(item.value))
        }
      }
      if has("tags") {
        for item in live.view(of: tags).items {
          let expected = count(choice.changed { $0.tags.insert(item.value) })
          #expect(
            item.count == expected || item.count == nil && item.isRefined, "\(item) \(choice)")
        }
      }
      if has("rating") {
        for item in live.view(of: rating).items {
          expectEqual(
            item.count, count(choice.changed { $0.rating = item.rating }), "\(item) \(choice)")
        }
      }
      if has("isFree") {
        let view = live.view(of: isFree)
        let (on, off) = (
          count(choice.changed { $0.isFree = true }), count(choice.changed { $0.isFree = false })
        )
        expectEqual(view.onCount ?? 0, on, "\(choice)")
        expectEqual(view.offCount, off, "\(choice)")
        expectEqual(view.canRefine, (choice.isFree ? off : on) > 0)
      }
      if has("chosen") {
        for item in live.view(of: chosen).groups.flatMap(\.items) {
          guard let count = item.count else { continue }
          let alone: Int? =
            switch item.attribute {
            case "brand": self.count(of: choice.changed { $0.brands = [item.value] }, products)
            case "tags": self.count(of: choice, products)
            default: nil
            }
          if let alone { expectEqual(count, alone, "\(item) \(choice)") }
        }
      }
    }
  }

  private func count(of choice: Choice, _ products: [Product]) -> Int {
    products.count(where: choice.finds)
  }
}
