import Foundation
import JSONProperties
import InstantSearchJSON
import Testing

/// Equal calls on our decoders and containers and on Foundation's.
@Suite(.timeLimit(.minutes(30))) struct RandomCallsTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func containersBehaveAlike(seed: UInt64) {
    var shapes = RandomShapes(seed: seed)
    for round in 0..<20 {
      let coders = CoderPair(options: round, seed: seed &* 100 &+ UInt64(round))
      let bytes = shapes.text(of: shapes.value())
      #expect(
        RandomCalls.differences(in: bytes, coders) == [],
        "\(coders), seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
