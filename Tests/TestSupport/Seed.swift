import Foundation

/// The seed of one case of a randomized test.
///
/// A failure shows the environment variable that repeats the case:
///
///     ASYNC_INSTANTSEARCH_SEED=7 swift test --filter theRulesHoldInAnyOrder
///
/// The variable replaces the seeds of every randomized test. It can also be a range, such as
/// `100-700`.
package struct Seed: Sendable, CustomStringConvertible {
  /// The seed of a random number generator.
  package let value: UInt64

  /// The seed, and how to repeat the case.
  package var description: String { "\(value) (ASYNC_INSTANTSEARCH_SEED=\(value))" }

  /// The seeds of a randomized test.
  ///
  /// - Parameters:
  ///   - count: The number of seeds of a thorough run.
  ///   - quick: The number of seeds of any other run. Defaults to a tenth of them, but five at
  ///     least.
  package static func all(_ count: Int, quick: Int? = nil) -> [Seed] {
    let count = Thoroughness.count(min(quick ?? max(5, count / 10), count), thorough: count)
    return (requested ?? 1...UInt64(count)).map(Seed.init)
  }

  private static let requested: ClosedRange<UInt64>? = {
    let parts = ProcessInfo.processInfo.environment["ASYNC_INSTANTSEARCH_SEED"]?
      .split(separator: "-").compactMap { UInt64($0) }
    guard let first = parts?.first, let last = parts?.last, first <= last else { return nil }
    return first...last
  }()
}

/// How much the tests do.
///
/// By default each test does what finds a mistake with good probability in little time. With
/// `ASYNC_INSTANTSEARCH_THOROUGH` in the environment it does all that it can.
package enum Thoroughness {
  /// Whether the tests do all that they can.
  package static let isThorough =
    ProcessInfo.processInfo.environment["ASYNC_INSTANTSEARCH_THOROUGH"] != nil

  /// A number of cases, rounds or bytes.
  package static func count(_ quick: Int, thorough: Int) -> Int { isThorough ? thorough : quick }
}
