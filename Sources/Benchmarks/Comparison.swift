/// The same value made in two ways; it is the same value, or nothing is measured.
struct Comparison<Value, Baseline> {
  /// Makes the value with this library.
  let make: () throws -> Value
  /// Makes it with Foundation.
  let makeBaseline: () throws -> Baseline
  /// What is different between the two; `nil` when they say the same.
  let difference: (Value, Baseline) throws -> String?

  init(
    _ make: @escaping () throws -> Value, against makeBaseline: @escaping () throws -> Baseline,
    difference: @escaping (Value, Baseline) throws -> String?
  ) {
    self.make = make
    self.makeBaseline = makeBaseline
    self.difference = difference
  }

  /// Compares both values and measures how long each takes to make.
  ///
  /// - Throws: ``Mismatch`` when the values differ.
  func times(bytes: Int, blocks: Int = 60) throws -> BenchmarkCase.Outcome {
    if let difference = try difference(make(), makeBaseline()) {
      throw Mismatch(description: difference)
    }
    return .times(try Paired(blocks: blocks, make, against: makeBaseline), bytes: bytes)
  }
}

/// The two ways of a case came to different values, so that their times say nothing.
struct Mismatch: Error, CustomStringConvertible {
  let description: String
}

/// Which of the two ways a child process is to take.
enum Contender: String {
  case ours, foundation
}
