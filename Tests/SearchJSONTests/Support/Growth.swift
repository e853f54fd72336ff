import Testing

/// Expects that work grows no faster than its input, up to a factor that no quadratic work keeps to:
/// eight times the input may take at most 24 times as long, not 64.
///
/// Only times of one run are compared, and the best of several: a machine that is busy elsewhere does
/// not matter.
///
/// - Parameters:
///   - size: The smaller size; large enough for its time not to be that of the clock.
///   - make: Makes the input, which is not measured.
///   - work: Reads it.
func expectLinear<Input>(
  _ size: Int, _ make: (Int) -> Input, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: (Input) throws -> Void
) rethrows {
  let small = make(size)
  let large = make(8 * size)
  let clock = ContinuousClock()
  var best = (small: Duration.seconds(1_000_000), large: Duration.seconds(1_000_000))
  for round in 0..<6 {
    best.small = min(best.small, try clock.measure { try work(small) })
    best.large = min(best.large, try clock.measure { try work(large) })
    if round > 0, best.large < best.small * 24 { return }
  }
  Issue.record(
    "\(best.large) for \(8 * size) is more than 24 times \(best.small) for \(size)",
    sourceLocation: sourceLocation)
}
