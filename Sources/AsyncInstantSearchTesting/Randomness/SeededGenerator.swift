import AsyncInstantSearch

/// A random number generator that gives the same numbers for the same seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var base: SplitMix64

  /// Creates a generator.
  public init(seed: UInt64) {
    base = SplitMix64(seed: seed)
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    base.next()
  }
}
