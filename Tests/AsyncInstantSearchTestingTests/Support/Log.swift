import AsyncInstantSearch

/// Numbers in the order in which tasks appended them.
final class Log: Sendable {
  private let numbers = Lock<[Int]>([])

  var values: [Int] { numbers.withLock { $0 } }

  func append(_ number: Int) {
    numbers.withLock { $0.append(number) }
  }
}
