@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// The points that a polygon contains, compared with a test of every line.
struct GeoPolygonTests {
  /// Whether a polygon contains a point, by the even-odd rule applied to every line.
  private static func contains(_ point: Point, _ numbers: [Double]) -> Bool {
    let corners = stride(from: 0, to: numbers.count, by: 2).map {
      (latitude: numbers[$0], longitude: numbers[$0 + 1])
    }
    let longitudes = corners.map(\.longitude)
    return [0, 360, -360].contains { offset in
      let longitude = point.longitude + offset
      guard let west = longitudes.min(), let east = longitudes.max(),
        (west...east).contains(longitude)
      else { return false }
      var isInside = false
      for (index, a) in corners.enumerated() {
        let b = corners[index == 0 ? corners.count - 1 : index - 1]
        guard (a.latitude > point.latitude) != (b.latitude > point.latitude) else { continue }
        let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
        if longitude < a.longitude + share * (b.longitude - a.longitude) { isInside.toggle() }
      }
      return isInside
    }
  }

  /// How the corners of a polygon, and the points to test, are chosen.
  enum Shape: String, CaseIterable, Sendable {
    /// Anywhere. The lines cross each other.
    case random
    /// Of few numbers, so that points are at corners and on lines, and lines are on each other.
    case whole
    /// Around a center, without crossings.
    case star
    /// In turns near one of two corners, so that no line ends between them.
    case zigzag
    /// Close together, but for a distant corner.
    case cluster
    /// Beyond the 180th meridian.
    case beyond
    /// Alternating between two parallels, or between two meridians.
    case comb, ladder
    /// Around the Earth, and of numbers that overflow.
    case huge
    /// Of longitudes so far apart that their differences are infinite.
    case overflowing

    func numbers(_ count: Int, using random: inout SeededGenerator) -> [Double] {
      (0..<count).flatMap { number -> [Double] in
        func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        let isEven = number.isMultiple(of: 2)
        let share = Double(number) / Double(count)
        switch self {
        case .random: return [any(-90...90), any(-180...180)]
        case .whole: return [any(-3...3).rounded(), any(-3...3).rounded()]
        case .star:
          // A diamond, so that no trigonometry is necessary.
          let radius = any(20...80)
          let angle = 4 * share
          let x = abs(angle - 2) - 1
          let y = angle < 2 ? 1 - abs(angle - 1) : abs(angle - 3) - 1
          return [radius * y, 2 * radius * x]
        case .zigzag: return [(isEven ? -70 : 70) + any(-1...1), (isEven ? -99 : 99) + any(-1...1)]
        case .cluster: return number == 0 ? [80, 170] : [any(48...49), any(2...3)]
        case .beyond: return [any(-50...50), any(100...500)]
        case .comb: return [isEven ? -60 : 60, 340 * share - 170]
        case .ladder: return [160 * share - 80, isEven ? -100 : 100]
        case .overflowing:
          // The difference of the longitudes of every line is infinite.
          let longitude = 0.9e308 + Double(number) * 1e300
          return [(isEven ? -40 : 40) + any(-1...1), isEven ? -longitude : longitude]
        case .huge:
          let large = [1, 1e300, -1e300, 1.7e308, -1.7e308]
          return [
            any(-90...90) * (large.randomElement(using: &random) ?? 1),
            any(-1...1) * (large.randomElement(using: &random) ?? 1),
          ]
        }
      }
    }

    func point(using random: inout SeededGenerator) -> Point {
      func any(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
      return switch self {
      case .whole: Point(latitude: any(-4...4).rounded(), longitude: any(-4...4).rounded())
      case .cluster: Point(latitude: any(47.9...49.1), longitude: any(1.9...3.1))
      default: Point(latitude: any(-90...90), longitude: any(-180...180))
      }
    }
  }

  @Test(arguments: Seed.all(100, quick: 8), Shape.allCases)
  func aPolygonContainsThePointsThatAnyLineByLineTestFinds(seed: Seed, shape: Shape) throws {
    var random = SeededGenerator(seed: seed.value)
    let count = Int.random(in: 3...[3, 8, 60, 700].randomElement(using: &random)!, using: &random)
    let numbers = shape.numbers(count, using: &random)
    guard numbers.allSatisfy(\.isFinite) else { return }
    let cancellation = CancellationCheck()
    let polygon = try #require(try GeoPolygon(numbers, cancellation))
    var points = (0..<300).map { _ in shape.point(using: &random) }
    // The corners themselves, and other points at their latitudes and longitudes.
    for _ in 0..<100 {
      let corner = 2 * Int.random(in: 0..<count, using: &random)
      let other = 2 * Int.random(in: 0..<count, using: &random)
      points.append(Point(latitude: numbers[corner], longitude: numbers[corner + 1]))
      points.append(Point(latitude: numbers[corner], longitude: numbers[other + 1]))
      points.append(
        Point(latitude: numbers[corner], longitude: shape.point(using: &random).longitude))
    }
    for point in points {
      try expectEqual(
        polygon.contains(point, cancellation), Self.contains(point, numbers),
        "\(shape) of \(count) corners, \(point)")
    }
  }

  @Test(arguments: Seed.all(20))
  func theRecordsInsideOneOfSeveralPolygonsAreFound(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let points = (0..<500).map { _ in Shape.random.point(using: &random) }
    let records = points.enumerated().map { number, point -> JSON in
      [
        "objectID": .string("\(number)"),
        "_geoloc": ["lat": .double(point.latitude), "lng": .double(point.longitude)],
      ]
    }
    let fixture = try await EngineFixture(records)
    let polygons = [Shape.star, .cluster, .beyond, .random].map { shape in
      shape.numbers(Int.random(in: 3...40, using: &random), using: &random)
    }
    let expected = points.indices.filter { number in
      polygons.contains { Self.contains(points[number], $0) }
    }
    let ids = try await fixture.ids([
      "insidePolygon": .array(polygons.map { .array($0.map { .double($0) }) })
    ])
    expectEqual(ids.compactMap { Int($0) }.sorted(), expected)
  }

  /// A point is compared with a small part of the lines, even if a third of them is at its
  /// latitude.
  @Test(arguments: [Shape.random, .star, .comb, .ladder, .zigzag, .cluster])
  func aPointIsComparedWithFewLines(shape: Shape) throws {
    var random = SeededGenerator(seed: 7)
    let clock = CountingClock()
    let cancellation = CancellationCheck(deadline: clock.deadline(atCheck: nil), interval: 1)
    let polygon = try #require(
      try GeoPolygon(shape.numbers(10_000, using: &random), cancellation))
    // Creating the polygon takes as long as comparing a thousand points with every line.
    #expect((1000...1000 * 10_000 / 16).contains(clock.reads), "\(clock.reads)")
    let before = clock.reads
    for _ in 0..<1000 { _ = try polygon.contains(shape.point(using: &random), cancellation) }
    // A check is for 16 lines.
    #expect(clock.reads - before < 1000 * 300 / 16, "\(clock.reads - before)")
  }

  @Test func aPolygonEndsWithTheCall() throws {
    var random = SeededGenerator(seed: 7)
    let numbers = Shape.random.numbers(10_000, using: &random)
    let clock = CountingClock()
    func make(endingAt last: Int?) throws {
      let cancellation = CancellationCheck(
        deadline: clock.deadline(atCheck: last), interval: 1024)
      _ = try GeoPolygon(numbers, cancellation)
    }
    try make(endingAt: nil)
    let checks = clock.reads
    for last in [1, checks / 2, checks - 1] {
      #expect { try make(endingAt: last) } throws: { ($0 as? SearchError)?.code == .timedOut }
    }
  }
}
