extension HitsPage {
  /// Reads the hits, telling each what only the page knows.
  mutating func readHits(from source: inout some HitSource, stamp: HitStamp) {
    if let type = Record.self as? any StampedRecord.Type {
      // The opened type is `Record` itself, so the cast only gives the array its name back.
      if let read = readStamped(type, from: &source, stamp: stamp) as? [Record] { hits = read }
    } else {
      hits = read(Record.self, from: &source, stamp) { source, position in
        source.next(Record.self, position: position)
      }
    }
  }

  private mutating func readStamped<Stamped: StampedRecord>(
    _ type: Stamped.Type, from source: inout some HitSource, stamp: HitStamp
  ) -> any Sendable {
    read(type, from: &source, stamp) { source, position in
      source.nextStamped(type, position: position).map { hit in
        var hit = hit
        hit.stamp(position: position, queryID: stamp.queryID, tags: stamp.tags)
        return hit
      }
    }
  }

  /// Reads all hits of a source, putting those that cannot be read among the failures.
  private mutating func read<Source: HitSource, Value>(
    _ type: Value.Type, from source: inout Source, _ stamp: HitStamp,
    next: (inout Source, Int?) -> Result<Value, HitFailureBox>
  ) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(source.count)
    var index = 0
    while !source.isAtEnd {
      switch next(&source, stamp.position(at: index)) {
      case .success(let value): values.append(value)
      case .failure(let box): failures.append(box.failure)
      }
      index += 1
    }
    return values
  }
}
