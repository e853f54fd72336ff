import Foundation
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// Equal calls on our decoders and containers and on Foundation's.
struct RandomCallsTests {
  @Test(arguments: Seed.all(40))
  func containersBehaveAlike(seed: Seed) {
    var shapes = RandomShapes(seed: seed.value)
    for round in 0..<20 {
      let coders = CoderPair(options: round, seed: seed.value &* 100 &+ UInt64(round))
      let bytes = shapes.text(of: shapes.value())
      expectEqual(
        RandomCalls.differences(in: bytes, coders), [],
        "\(coders), seed \(seed.value): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
