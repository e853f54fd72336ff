import InstantSearchJSON

extension ReadCall {
  /// Performs `GET /1/indexes`: all indices by name, or a page of them.
  func answerList() throws -> TransportResponse {
    var names = try cancellation.map(reader.snapshots) { $0.key }
    try cancellation.sort(&names, length: { $0.utf8.count }, by: <)
    let page = try request.page(of: names)
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.key("items")
    writer.beginArray()
    for name in page.names {
      try cancellation.count(text: name, after: writer.count, .indices)
      guard let index = reader.snapshots[name] else { continue }
      try listed(index, name).write(to: &writer, cancellation)
      try cancellation.check(responseSize: writer.count, .indices)
    }
    writer.endArray()
    writer.key("nbPages")
    writer.int(page.pageCount)
    writer.endObject()
    try cancellation.check(responseSize: writer.count, .indices)
    return try response(writer)
  }

  private func listed(_ index: IndexSnapshot, _ name: String) throws -> ListedIndex {
    ListedIndex(
      name: name, count: index.recordCount, size: try index.recordSize(cancellation),
      times: index.times.map { ($0.created, $0.updated) }, settings: index.settings,
      primary: index.settings.primary.flatMap { reader.snapshots[$0]?.settings })
  }
}

extension IndexSnapshot {
  /// Returns the size of the records, in bytes of JSON.
  ///
  /// - Complexity: O(1) for a segment without deleted records, otherwise O(n).
  fileprivate func recordSize(_ cancellation: CancellationCheck) throws -> Int {
    var size = 0
    for view in segments {
      let records = view.segment.records
      if view.liveCount == records.count {
        size += records.byteCount
        continue
      }
      try view.live.forEach {
        try cancellation.count()
        size += records.bytes(of: $0).count
      }
    }
    return size
  }
}
