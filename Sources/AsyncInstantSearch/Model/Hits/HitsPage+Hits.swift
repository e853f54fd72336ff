import InstantSearchJSON

extension HitsPage {
  /// Reads the hits of an array on the tape, telling each what only the page knows.
  mutating func readHits(
    at array: Int, in session: DecodingSession, depth: Int, stamp: HitStamp
  ) {
    if let type = Record.self as? any StampedRecord.Type {
      // The opened type is `Record` itself, so the cast only gives the array its name back.
      let read = readStamped(type, at: array, in: session, depth: depth, stamp: stamp)
      if let read = read as? [Record] { hits = read }
    } else {
      hits = read(Record.self, at: array, in: session, stamp) { index, _ in
        try session.value(Record.self, at: index, depth: depth)
      }
    }
  }

  private mutating func readStamped<Stamped: StampedRecord>(
    _ type: Stamped.Type, at array: Int, in session: DecodingSession, depth: Int, stamp: HitStamp
  ) -> any Sendable {
    let answer = HitAnswer(document: session.document, tags: stamp.tags)
    return read(type, at: array, in: session, stamp) { index, position in
      try Stamped(
        at: index, in: session, depth: depth, of: answer, position: position,
        queryID: stamp.queryID)
    }
  }

  /// Reads all elements of an array, putting those that cannot be read among the failures.
  private mutating func read<Value>(
    _ type: Value.Type, at array: Int, in session: DecodingSession, _ stamp: HitStamp,
    _ read: (_ index: Int, _ position: Int?) throws -> Value
  ) -> [Value] {
    let document = session.document
    var values: [Value] = []
    values.reserveCapacity(document.count(at: array))
    var elements = document.elements(at: array)
    var number = 0
    while let index = elements.nextElement(in: document) {
      let position = stamp.position(at: number)
      number += 1
      do {
        // A type may be able to read null, but a null is no hit.
        if case .null = document.kind(at: index) {
          throw session.node(at: index).mismatch([String: Any].self)
        }
        values.append(try read(index, position))
      } catch {
        failures.append(HitFailure(error, of: session.node(at: index), position: position))
      }
    }
    return values
  }

  // MARK: - Other decoders

  /// Reads the hits in a container of any decoder, telling each what only the page knows.
  mutating func readHits(from hits: ContainedHits, stamp: HitStamp) {
    if let type = Record.self as? any StampedRecord.Type {
      if let read = readStamped(type, from: hits, stamp: stamp) as? [Record] { self.hits = read }
    } else {
      self.hits = read(Record.self, from: hits, stamp) { _, _ in }
    }
  }

  private mutating func readStamped<Stamped: StampedRecord>(
    _ type: Stamped.Type, from hits: ContainedHits, stamp: HitStamp
  ) -> any Sendable {
    read(type, from: hits, stamp) { hit, position in
      hit.stamp(position: position, queryID: stamp.queryID)
      hit.setTags(stamp.tags)
    }
  }

  private mutating func read<Value: Decodable>(
    _ type: Value.Type, from hits: ContainedHits, _ stamp: HitStamp,
    finish: (inout Value, Int?) -> Void
  ) -> [Value] {
    var hits = hits
    var values: [Value] = []
    values.reserveCapacity(hits.count)
    var number = 0
    while !hits.isAtEnd {
      let position = stamp.position(at: number)
      number += 1
      do throws(HitFailureBox) {
        var value = try hits.next(type, position: position)
        finish(&value, position)
        values.append(value)
      } catch {
        failures.append(error.failure)
      }
    }
    return values
  }
}
