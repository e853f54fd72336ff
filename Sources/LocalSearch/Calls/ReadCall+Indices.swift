import InstantSearchJSON

extension ReadCall {
  /// Performs `GET /1/indexes`: all indices by name, or a page of them.
  func answerList() throws -> TransportResponse {
    var names = try cancellation.map(reader.snapshots) { $0.key }
    try cancellation.sort(&names, length: { $0.utf8.count }, by: <)
    var pageCount = 1
    if let page = try number("page", 0...Int(Int32.max)) {
      let size = try number("hitsPerPage", 1...1000) ?? 100
      pageCount = (names.count + size - 1) / size
      let start = page.multipliedReportingOverflow(by: size)
      names = start.overflow ? [] : Array(names.dropFirst(start.partialValue).prefix(size))
    }
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.key("items")
    writer.beginArray()
    for name in names {
      try cancellation.count(text: name, after: writer.count, .indices)
      guard let index = reader.snapshots[name] else { continue }
      try write(index, name, to: &writer)
      try cancellation.check(responseSize: writer.count, .indices)
    }
    writer.endArray()
    writer.key("nbPages")
    writer.int(pageCount)
    writer.endObject()
    try cancellation.check(responseSize: writer.count, .indices)
    return try response(writer)
  }

  /// Writes an index with every member that the contract requires.
  private func write(_ index: IndexSnapshot, _ name: String, to writer: inout JSONWriter) throws {
    let (count, size) = try (index.recordCount, index.recordSize(cancellation))
    writer.beginObject()
    writer.key("name")
    writer.string(name)
    writer.key("createdAt")
    // Empty without records, as on the hosted service.
    writer.string(count > 0 ? index.times?.created ?? "" : "")
    writer.key("updatedAt")
    writer.string(index.times?.updated ?? "")
    for (name, value) in [
      ("entries", count), ("dataSize", size), ("fileSize", size), ("lastBuildTimeS", 0),
      ("numberOfPendingTasks", 0),
    ] {
      writer.key(name)
      writer.int(value)
    }
    writer.key("pendingTask")
    writer.bool(false)
    if let primary = index.settings.primary {
      writer.key("primary")
      writer.string(primary)
      if reader.snapshots[primary]?.settings.hasVirtualReplica(name) ?? false {
        writer.key("virtual")
        writer.bool(true)
      }
    }
    let replicas = index.settings.replicaNames
    if !replicas.isEmpty {
      writer.key("replicas")
      writer.beginArray()
      for name in replicas {
        try cancellation.count(text: name, after: writer.count, .indices)
        writer.string(name)
      }
      writer.endArray()
    }
    writer.endObject()
  }

  /// Returns a query item that is a number, or `nil`.
  private func number(_ name: String, _ range: ClosedRange<Int>) throws(APIError) -> Int? {
    guard let text = request.queryItems.last(where: { $0.name == name })?.value else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw APIError.invalidValue(
        of: name, expected: "\(range.lowerBound) to \(range.upperBound)", got: text.excerpt())
    }
    return number
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

extension IndexSettings {
  /// Whether a replica is declared as `virtual(name)`.
  fileprivate func hasVirtualReplica(_ name: String) -> Bool {
    replicas.contains { $0 != name && Self.indexName(ofReplica: $0) == name }
  }
}
