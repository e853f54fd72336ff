import AsyncInstantSearchTesting
import Foundation
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// Types of every kind, decoded from texts that fit one of them and were then changed.
struct RandomRecordsTests {
  /// Some of the probes, different for each seed and iteration.
  private static func probes(_ number: Int) -> [any Probe] {
    Probes.all.enumerated().filter { ($0.offset + number) % 4 == 0 }.map(\.element)
  }

  @Test func unchangedTextsAreReadAlike() throws {
    for value in try RecordSamples.values() {
      var shapes = RandomShapes(seed: 0)
      let step = Thoroughness.count(7, thorough: 1)
      for options in stride(from: 0, to: CoderPair.combinations, by: step) {
        let coders = CoderPair(options: options)
        let bytes = shapes.text(of: value)
        for probe in Probes.all {
          #expect(
            probe.decode(bytes, with: coders).difference(isValid: true) == nil,
            "\(probe.name), \(coders): \(String(decoding: bytes, as: UTF8.self))")
        }
      }
    }
  }

  @Test("Every record type reads one of the samples") func everyRecordTypeReadsASample() throws {
    for probe in Probes.records {
      let successes = RecordSamples.texts.filter { text in
        (0..<CoderPair.combinations).contains { options in
          let pair = probe.decode(Array(text.utf8), with: CoderPair(options: options))
          return if case .success = pair.ours { true } else { false }
        }
      }
      #expect(!successes.isEmpty, "\(probe.name)")
    }
  }

  @Test(arguments: Seed.all(20))
  func changedTextsAreReadAlike(seed: Seed) throws {
    var shapes = RandomShapes(seed: seed.value)
    for (number, sample) in try RecordSamples.values().enumerated() {
      var value = sample
      for round in 0..<3 {
        value = shapes.changed(value)
        let bytes = shapes.text(of: value)
        let coders = CoderPair(options: Int(seed.value) + round)
        for probe in Self.probes(number + round + Int(seed.value)) {
          #expect(
            probe.decode(bytes, with: coders).difference(isValid: true) == nil,
            "\(probe.name), \(coders): \(String(decoding: bytes, as: UTF8.self))")
        }
      }
    }
  }

  @Test(
    "Of repeated keys the last counts, as if the others were not there",
    arguments: Seed.all(20))
  func repeatedKeysAreReadAsTheLast(seed: Seed) throws {
    var shapes = RandomShapes(seed: seed.value)
    let samples = try RecordSamples.values()
    for (number, sample) in samples.enumerated() {
      let value = shapes.withRepetitions(sample)
      let bytes = shapes.text(of: value)
      let cleaned = shapes.text(of: value.withoutRepetitions)
      // Keys that become equal in snake case are not repetitions.
      let coders = CoderPair(options: Int(seed.value) % 5 + Int(seed.value) / 5 % 2 * 10)
      for probe in Self.probes(number + Int(seed.value)) {
        var pair = probe.decode(bytes, with: coders)
        pair.theirs = probe.decode(cleaned, with: coders).theirs
        #expect(
          pair.difference(isValid: true) == nil,
          "\(probe.name), \(coders): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  @Test func datesInTextAreReadAlike() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<Thoroughness.count(100, thorough: 1_000) {
      func number(_ range: ClosedRange<Int>, _ digits: Int) -> String {
        let text = String(Int.random(in: range, using: &random))
        return String(repeating: "0", count: digits - text.count) + text
      }
      var text = number(1583...9999, 4) + "-" + number(1...12, 2) + "-" + number(1...31, 2) + "T"
      text += number(0...24, 2) + ":" + number(0...59, 2) + ":" + number(0...60, 2)
      if Bool.random(using: &random) { text += "." + number(0...999, 3) }
      text += ["Z", "+02:00", "-0930", "+05", "", "z"][Int.random(in: 0..<5, using: &random)]
      let coders = CoderPair(options: 1)
      for probe in Probes.all where probe.name == "Date" {
        let pair = probe.decode(Array("\"\(text)\"".utf8), with: coders)
        #expect(pair.difference(isValid: true) == nil, "\(text)")
      }
    }
  }
}
