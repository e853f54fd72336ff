import AsyncInstantSearch
import AsyncInstantSearchTesting

/// Numbers that a seed decides.
final class Chance: Sendable {
  private let generator: Lock<SeededGenerator>

  init(seed: UInt64) { generator = Lock(SeededGenerator(seed: seed)) }

  func number(below limit: Int) -> Int {
    generator.withLock { Int.random(in: 0..<limit, using: &$0) }
  }
}
