extension HitsPage {
  /// Reads the hits, telling each what only the page knows.
  mutating func readHits(from source: inout some HitSource, stamp: HitStamp) {
    if let type = Record.self as? any StampedRecord.Type {
      // The opened type is `Record` itself, so the cast only gives the array its name back.
      if let read = readStamped(type, from: &source, stamp: stamp) as? [Record] { hits = read }
    } else {
      hits = read(Record.self, from: &source, stamp: stamp) { _, _ in }
    }
  }

  private mutating func readStamped<Stamped: StampedRecord>(
    _ type: Stamped.Type, from source: inout some HitSource, stamp: HitStamp
  ) -> any Sendable {
    read(type, from: &source, stamp: stamp) { hit, position in
      hit.stamp(position: position, queryID: stamp.queryID, tags: stamp.tags)
    }
  }

  /// Reads all hits of a source, putting those that cannot be read among the failures.
  private mutating func read<Value: Decodable>(
    _ type: Value.Type,
    from source: inout some HitSource,
    stamp: HitStamp,
    finish: (inout Value, Int?) -> Void
  ) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(source.count)
    var index = 0
    while !source.isAtEnd {
      let position = stamp.position(at: index)
      switch source.next(type, position: position) {
      case .success(var value):
        finish(&value, position)
        values.append(value)
      case .failure(let box): failures.append(box.failure)
      }
      index += 1
    }
    return values
  }
}
