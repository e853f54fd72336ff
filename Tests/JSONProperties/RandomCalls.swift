import AsyncInstantSearchTesting
import Foundation

/// Decodes itself by calls on decoders and containers, chosen by a seed and by the results so far,
/// and logs each result: two decoders that behave alike give the same log.
///
/// Containers are kept and used after others were opened, and after their value was decoded.
package struct RandomCalls: Decodable {
  /// An error thrown by the value itself.
  struct Failure: Error {}

  /// Calls and results, one per line.
  package private(set) var log: [String] = []
  /// Makes one more call on a container that was opened, or on a decoder that was given.
  private var kept: [(inout RandomCalls) -> Void] = []
  var random: SeededGenerator
  /// The number of enclosing values.
  private let depth: Int

  package init(from decoder: any Decoder) throws {
    var seed = CoderPair.seedKey.flatMap { decoder.userInfo[$0] as? UInt64 } ?? 0
    // The same value is decoded in the same way, regardless of earlier calls.
    for byte in text(of: decoder.codingPath, comparably: true).utf8 {
      seed = (seed ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    random = SeededGenerator(seed: seed)
    depth = decoder.codingPath.count
    log.append("at \(text(of: decoder.codingPath, comparably: true))")
    for _ in 0..<3 { open(decoder) }
    for _ in 0..<(depth < 4 ? 24 >> depth : 2) {
      switch pick(8) {
      case 0: open(decoder)
      case 1: callSingle(decoder)
      default: callKept()
      }
    }
    log.append("still at \(text(of: decoder.codingPath, comparably: true))")
    if pick(30) == 0 { throw Failure() }
  }

  /// Makes calls on the kept objects, after the value was decoded.
  package mutating func goOn(calls: Int = 30) {
    for _ in 0..<calls { callKept() }
  }

  mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  mutating func choose<Element>(_ elements: [Element]) -> Element {
    elements[pick(elements.count)]
  }

  /// Logs a result or an error.
  mutating func note(_ call: String, unordered: Bool = false, _ answer: () throws -> Any?) {
    do {
      let value = try answer()
      log.append("\(call) = \(value.map { canonicalText(of: $0) } ?? "nil")")
      if let value { adopt(value) }
    } catch {
      log.append("\(call) throws \(unordered ? "" : DecodedPair.summary(of: error))")
    }
  }

  /// Continues with the objects that nested values have kept.
  private mutating func adopt(_ value: Any) {
    switch value {
    case let value as RandomCalls: kept += value.kept
    case let values as [RandomCalls]: for value in values { kept += value.kept }
    default: break
    }
  }

  private mutating func callKept() {
    guard !kept.isEmpty else { return }
    choose(kept)(&self)
  }

  // MARK: - Decoders

  /// Requests a container from a decoder and keeps it.
  private mutating func open(_ decoder: any Decoder) {
    switch pick(5) {
    case 0: keepKeyed("container", NamedKey.self) { try decoder.container(keyedBy: $0) }
    case 1: keepKeyed("container", NumberedKey.self) { try decoder.container(keyedBy: $0) }
    case 2, 3: keepKeyed("container", AnyCodingKey.self) { try decoder.container(keyedBy: $0) }
    default: keepUnkeyed("unkeyedContainer") { try decoder.unkeyedContainer() }
    }
  }

  private mutating func callSingle(_ decoder: any Decoder) {
    do {
      let container = try decoder.singleValueContainer()
      switch pick(3) {
      case 0: log.append("single nil \(container.decodeNil())")
      case 1:
        let probe = choose(ScalarProbe.allCases)
        note("single \(probe)") { try probe.decode(from: container) }
      default:
        let probe = choose(Probes.all)
        note("single \(probe.name)", unordered: probe.isUnordered) {
          try probe.decode(from: container)
        }
      }
    } catch {
      log.append("singleValueContainer throws \(DecodedPair.summary(of: error))")
    }
  }

  /// Keeps a decoder that no other value uses.
  private mutating func keepSuper(_ call: String, _ make: () throws -> any Decoder) {
    do {
      let decoder = try make()
      log.append("\(call) at \(text(of: decoder.codingPath, comparably: true))")
      kept.append { calls in
        switch calls.pick(4) {
        case 0: calls.open(decoder)
        case 1: calls.note("calls of super") { try RandomCalls(from: decoder) }
        case 2: calls.note("item of super") { try Item(from: decoder) }
        default: calls.callSingle(decoder)
        }
      }
    } catch {
      log.append("\(call) throws \(DecodedPair.summary(of: error))")
    }
  }

  // MARK: - Keyed containers

  private mutating func keepKeyed<Key: CodingKey>(
    _ call: String, _ type: Key.Type,
    _ make: (Key.Type) throws -> KeyedDecodingContainer<Key>
  ) {
    do {
      let container = try make(type)
      log.append("\(call) by \(type) at \(text(of: container.codingPath, comparably: true))")
      kept.append { $0.call(container) }
    } catch {
      log.append("\(call) throws \(DecodedPair.summary(of: error))")
    }
  }

  /// Keys that the container has, in a fixed order, and some that it may not have.
  private mutating func keys<Key>(for container: KeyedDecodingContainer<Key>) -> [Key] {
    let present = container.allKeys.sorted { $0.stringValue < $1.stringValue }
    return present + present + Vocabulary.names.compactMap { Key(stringValue: $0) }.prefix(pick(4))
      + [choose(Vocabulary.names), "1", "two", "super"].compactMap { Key(stringValue: $0) }
      + [Key(intValue: 1)].compactMap { $0 }
  }

  private mutating func call<Key>(_ container: KeyedDecodingContainer<Key>) {
    let keys = keys(for: container)
    guard !keys.isEmpty else { return log.append("no keys") }
    let key = choose(keys)
    let name = text(of: [key])
    switch pick(16) {
    case 0:
      log.append("allKeys \(container.allKeys.map { text(of: [$0]) }.sorted())")
      log.append("at \(text(of: container.codingPath, comparably: true))")
    case 1: log.append("contains \(name) \(container.contains(key))")
    case 2: note("nil \(name)") { try container.decodeNil(forKey: key) }
    case 3, 4:
      let probe = choose(ScalarProbe.allCases)
      note("\(probe) \(name)") { try probe.decode(from: container, forKey: key) }
    case 5, 6:
      let probe = choose(ScalarProbe.allCases)
      note("\(probe)? \(name)") { try probe.decodeIfPresent(from: container, forKey: key) }
    case 7, 8:
      let probe = choose(Probes.inside)
      note("\(probe.name) \(name)", unordered: probe.isUnordered) {
        try probe.decode(from: container, forKey: key)
      }
    case 9:
      let probe = choose(Probes.inside)
      note("\(probe.name)? \(name)", unordered: probe.isUnordered) {
        try probe.decodeIfPresent(from: container, forKey: key)
      }
    case 10:
      keepKeyed("nested \(name)", AnyCodingKey.self) {
        try container.nestedContainer(keyedBy: $0, forKey: key)
      }
    case 11:
      keepKeyed("nested \(name)", NamedKey.self) {
        try container.nestedContainer(keyedBy: $0, forKey: key)
      }
    case 12: keepUnkeyed("nested \(name)") { try container.nestedUnkeyedContainer(forKey: key) }
    case 13: keepSuper("super \(name)") { try container.superDecoder(forKey: key) }
    case 14: keepSuper("super") { try container.superDecoder() }
    default: walk(container, keys)
    }
  }

  /// Requests all keys in sorted order, backwards, or shuffled.
  private mutating func walk<Key>(_ container: KeyedDecodingContainer<Key>, _ keys: [Key]) {
    var keys = keys
    switch pick(3) {
    case 0: keys.reverse()
    case 1: keys.shuffle(using: &random)
    default: break
    }
    let probe = choose(ScalarProbe.allCases)
    for key in keys {
      note("\(probe)? \(text(of: [key]))") {
        try probe.decodeIfPresent(from: container, forKey: key)
      }
    }
  }

  // MARK: - Unkeyed containers

  private mutating func keepUnkeyed(
    _ call: String, _ make: () throws -> any UnkeyedDecodingContainer
  ) {
    do {
      let container = try make()
      let path = text(of: container.codingPath, comparably: true)
      log.append("\(call) of \(container.count ?? -1) at \(path)")
      keepUnkeyed(container)
    } catch {
      log.append("\(call) throws \(DecodedPair.summary(of: error))")
    }
  }

  private mutating func keepUnkeyed(_ container: any UnkeyedDecodingContainer) {
    var container = container
    kept.append { calls in
      calls.call(&container)
      calls.log.append(
        "element \(container.currentIndex) of \(container.count ?? -1) \(container.isAtEnd)")
    }
  }

  private mutating func call(_ container: inout any UnkeyedDecodingContainer) {
    switch pick(12) {
    case 0: note("next nil") { try container.decodeNil() }
    case 1, 2:
      let probe = choose(ScalarProbe.allCases)
      note("next \(probe)") { try probe.decode(from: &container) }
    case 3:
      // At the end Foundation advances.
      guard !container.isAtEnd else { return log.append("at the end") }
      let probe = choose(ScalarProbe.allCases)
      note("next \(probe)?") { try probe.decodeIfPresent(from: &container) }
    case 4, 5:
      let probe = choose(Probes.inside)
      note("next \(probe.name)", unordered: probe.isUnordered) {
        try probe.decode(from: &container)
      }
    case 6:
      guard !container.isAtEnd else { return log.append("at the end") }
      let probe = choose(Probes.inside)
      note("next \(probe.name)?", unordered: probe.isUnordered) {
        try probe.decodeIfPresent(from: &container)
      }
    case 7: keepKeyed("next", AnyCodingKey.self) { try container.nestedContainer(keyedBy: $0) }
    case 8: keepUnkeyed("next") { try container.nestedUnkeyedContainer() }
    case 9: keepSuper("next super") { try container.superDecoder() }
    case 10: keepUnkeyed(container)
    default: log.append("at \(text(of: container.codingPath, comparably: true))")
    }
  }
}

extension RandomCalls: CanonicallyDescribed {
  var ownText: String { "calls(\(log.joined(separator: "\n  ")))" }
}

extension RandomCalls {
  /// Makes calls with both decoders, the last ones after decoding has ended, and returns the first
  /// call with different results and the calls before it. Empty if there is none.
  package static func differences(in bytes: [UInt8], _ coders: CoderPair) -> [String] {
    let pair = coders.decode(RandomCalls.self, from: bytes, isUnordered: false)
    guard case .success(let value) = pair.ours, case .success(let other) = pair.theirs,
      var ours = value as? RandomCalls, var theirs = other as? RandomCalls
    else { return pair.difference(isValid: true).map { [$0] } ?? [] }
    ours.goOn()
    theirs.goOn()
    let common = zip(ours.log, theirs.log).prefix { $0 == $1 }.count
    guard common < ours.log.count || common < theirs.log.count else { return [] }
    return ours.log[..<common].suffix(4) + [
      "ours: \(common < ours.log.count ? ours.log[common] : "nothing")",
      "theirs: \(common < theirs.log.count ? theirs.log[common] : "nothing")",
    ]
  }
}
