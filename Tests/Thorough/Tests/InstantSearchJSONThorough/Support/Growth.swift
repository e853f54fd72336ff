import Measuring
import Testing

/// Expects that work grows no faster than its input, with a factor that quadratic work exceeds:
/// eight times the input may take at most 24 times as long, not 64.
///
/// Compares only times of one run, measured per thread, and the best of several, so that other load
/// on the machine does not matter.
///
/// - Parameters:
///   - size: The smaller size.
///   - make: Makes the input, which is not measured.
///   - work: Reads the input.
func expectLinear<Input>(
  _ size: Int, _ make: (Int) -> Input, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: (Input) throws -> Void
) rethrows {
  let small = make(size)
  let large = make(8 * size)
  // One-time work is not measured.
  try work(small)
  var best = (small: Double.infinity, large: Double.infinity)
  for _ in 0..<8 {
    best.small = min(best.small, try threadSeconds { try work(small) })
    best.large = min(best.large, try threadSeconds { try work(large) })
    if best.large < best.small * 24 { return }
  }
  Issue.record(
    "\(best.large) s for \(8 * size) is more than 24 times \(best.small) s for \(size)",
    sourceLocation: sourceLocation)
}
