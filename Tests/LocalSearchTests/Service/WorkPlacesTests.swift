import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import Testing

struct WorkPlacesTests {
  @Test func asManyBeginAsThereArePlaces() {
    let places = WorkPlaces(limit: 2)
    let first = places.join(.write)
    let second = places.join(.read)
    #expect(!first.waits && !second.waits)
    #expect(places.join(.write).waits)
    #expect(places.join(.read).waits)
    #expect(places.workingCount == 2 && places.waitingCount == 2)
  }

  @Test func oneReadBeginsBesideWrites() {
    let places = WorkPlaces(limit: 2)
    for _ in 0..<2 { #expect(!places.join(.write).waits) }
    #expect(places.join(.write).waits)
    let read = places.join(.read)
    #expect(!read.waits)
    #expect(places.join(.read).waits)
    places.end(read)
    #expect(places.workingCount == 3 && places.waitingCount == 1)
  }

  @Test(arguments: WorkPlaces.Kind.allCases)
  func placesComeInTheOrderOfJoining(kind: WorkPlaces.Kind) async throws {
    let places = WorkPlaces(limit: 1)
    let order = Order()
    let first = places.join(kind)
    let tasks = (0..<40).map { number in
      let place = places.join(kind)
      return Task {
        defer { places.end(place) }
        try await places.wait(for: place)
        order.add(number)
      }
    }
    places.end(first)
    for task in tasks { try await task.value }
    #expect(order.numbers == Array(0..<40))
    #expect(places.workingCount == 0 && places.waitingCount == 0)
  }

  /// Calls come and go at random: never more work than may, and none waits for a place that is
  /// free.
  @Test(arguments: 0..<UInt64(50)) func noPlaceIsFreeWhileSomebodyWaits(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...4, using: &generator)
    let places = WorkPlaces(limit: limit)
    var present: [WorkPlaces.Place] = []
    for _ in 0..<200 {
      if present.isEmpty || Int.random(in: 0..<5, using: &generator) < 3 {
        present.append(places.join(Bool.random(using: &generator) ? .read : .write))
      } else {
        places.end(present.remove(at: Int.random(in: present.indices, using: &generator)))
      }
      #expect(places.workingCount <= limit + 1)
      #expect(places.workingCount >= min(limit, present.count))
      #expect(places.workingCount + places.waitingCount == present.count)
    }
    for place in present { places.end(place) }
    #expect(places.workingCount == 0 && places.waitingCount == 0)
  }
}

/// Numbers in the order in which they came.
private final class Order: Sendable {
  private let state = Lock<[Int]>([])
  var numbers: [Int] { state.withLock { $0 } }
  func add(_ number: Int) { state.withLock { $0.append(number) } }
}
