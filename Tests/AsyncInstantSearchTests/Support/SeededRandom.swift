@testable import InstantSearchAPI
@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting

/// Random numbers determined by a seed.
final class SeededRandom: Sendable {
  private let generator: Lock<SeededGenerator>

  init(seed: UInt64) { generator = Lock(SeededGenerator(seed: seed)) }

  func number(below limit: Int) -> Int {
    generator.withLock { Int.random(in: 0..<limit, using: &$0) }
  }
}
