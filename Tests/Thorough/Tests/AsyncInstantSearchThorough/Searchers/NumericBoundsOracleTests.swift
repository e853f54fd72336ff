@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// The bounds of numeric facets with numeric filters, against a plain predicate.
@Suite(.timeLimit(.minutes(30))) struct NumericBoundsOracleTests {
  private static let index = "items"
  private struct Row {
    let color: String
    let price: Int
    let rating: Int

    var json: JSON {
      [
        "color": .string(color), "price": .int(Int64(price)), "rating": .int(Int64(rating)),
      ]
    }
  }

  @Test(arguments: Seed.all(60))
  func boundsIgnoreNumbersOfTheSameAttribute(seed: Seed) async throws {
    var random = RandomRecords(seed: seed.value)
    let rows = (0..<40).map { _ in
      Row(
        color: random.pick(["red", "green", "blue"]),
        price: Int.random(in: -20...100, using: &random.generator),
        rating: Int.random(in: 0...5, using: &random.generator))
    }
    let engine = try await LocalSearch(
      indexName: Self.index,
      records: rows.enumerated().map { number, row in
        var record = row.json
        record["objectID"] = .string("\(number)")
        return record
      },
      settings: IndexSettings { $0.attributesForFaceting = ["color", "price", "rating"] })
    let client = SearchClient(transport: engine)
    for _ in 0..<5 {
      let low = Int.random(in: -30...60, using: &random.generator)
      let high = low + Int.random(in: 0...60, using: &random.generator)
      let stars = Int.random(in: 0...5, using: &random.generator)
      let color = random.chance(50) ? random.pick(["red", "green", "blue"]) : nil
      // The price by AND, by OR with itself, or by OR with the rating.
      let form = Int.random(in: 0...3, using: &random.generator)
      var groups = FilterGroups()
      if let color { groups[or: "color"].add("color" == color) }
      switch form {
      case 0:
        groups[and: "price"].add(Attribute("price").isIn(low...high))
        groups[and: "rating"].add("rating" >= stars)
      case 1:
        groups[and: "price"].add("price" >= low, "price" <= high)
      case 2:
        groups[or: "price", Filter.Numeric.self].add("price" < low, "price" > high)
        groups[and: "rating"].add("rating" >= stars)
      default:
        groups[or: "either", Filter.Numeric.self].add("price" < low, "rating" > stars)
      }
      func holds(_ row: Row, except: String? = nil) -> Bool {
        let isOfColor = color == nil || except == "color" || row.color == color
        let isOfPrice = except == "price" || (low...high).contains(row.price)
        let isOfRating = except == "rating" || row.rating >= stars
        return switch form {
        case 0: isOfColor && isOfPrice && isOfRating
        case 1: isOfColor && isOfPrice
        case 2:
          isOfColor && isOfRating && (except == "price" || row.price < low || row.price > high)
        default:
          isOfColor
            && (except == "price" || except == "rating" || row.price < low || row.rating > stars)
        }
      }
      let request = SearchRequest(
        Self.index,
        SearchQuery().with {
          $0.facets = random.chance(80) ? ["color", "price", "rating"] : ["*"]
        },
        of: JSON.self, filterGroups: groups)
      let searcher = HitsSearcher(
        client: client, indexName: Self.index, query: request.query,
        options: .init(clock: ManualClock()))
      searcher.update { $0.filterGroups = groups }
      let pages = [
        try await client.search(request, disjunctive: true),
        try await searcher.search(of: JSON.self),
      ]
      for page in pages {
        expectEqual(page.nbHits, rows.filter { holds($0) }.count)
        for (attribute, value) in [("price", \Row.price), ("rating", \Row.rating)] {
          let values = rows.filter { holds($0, except: attribute) }.map { $0[keyPath: value] }
          let stats = page.facetStats[attribute]
          expectEqual(
            stats?.min, values.min().map { Double($0) },
            "seed \(seed.value), \(attribute): \(groups)")
          expectEqual(
            stats?.max, values.max().map { Double($0) },
            "seed \(seed.value), \(attribute): \(groups)")
          expectEqual(
            page.facets[attribute]?.values.reduce(0) { $0 + $1.count } ?? 0, values.count,
            "seed \(seed.value), \(attribute): \(groups)")
        }
        let colors = rows.filter { holds($0, except: "color") }.map(\.color)
        expectEqual(
          Set(page.facets["color"]?.values.filter { $0.count > 0 }.map(\.value) ?? []),
          Set(colors))
      }
    }
  }
}
