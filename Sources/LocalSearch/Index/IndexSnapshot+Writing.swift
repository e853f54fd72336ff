extension IndexSnapshot {
  /// Returns the snapshot after `writes`, applied in order.
  ///
  /// New records form one new segment. Records that are replaced or deleted are removed from copies
  /// of the older segments' live bitmaps. Then segments are merged according to ``MergePolicy``.
  ///
  /// - Throws: Only the errors of the check.
  /// - Complexity: amortized O(b log n) for a batch of b records.
  package func applying(
    _ writes: [WriteOperation], _ cancellation: CancellationCheck = CancellationCheck()
  ) throws -> IndexSnapshot {
    var base = self
    /// The IDs of all writes since the last removal of all records.
    var written: [ByteString] = []
    var pending: [[UInt8]?] = []
    var pendingIDs: [String] = []
    var pendingIndex = PartitionedDictionary<ByteString, Int>()
    var pendingCount = 0
    written.reserveCapacity(writes.count)
    pending.reserveCapacity(writes.count)
    pendingIDs.reserveCapacity(writes.count)
    defer {
      cancellation.releaseLater(
        (written, pending, pendingIDs, pendingIndex), partCount: writes.count)
    }
    func remove(_ id: ByteString) {
      written.append(id)
      guard let index = pendingIndex.removeValue(forKey: id) else { return }
      pending[index] = nil
      pendingCount -= 1
    }
    for write in writes {
      try cancellation.count()
      switch write {
      case .put(let objectID, let record):
        let id = ByteString(objectID)
        remove(id)
        try pendingIndex.set(pending.count, for: id, cancellation)
        pendingCount += 1
        pending.append(record)
        pendingIDs.append(objectID)
      case .delete(let objectID):
        remove(ByteString(objectID))
      case .clear:
        base = with([])
        written = []
        pending = []
        pendingIDs = []
        pendingIndex = PartitionedDictionary()
        pendingCount = 0
      }
    }
    var views = try base.views(without: written.lazy.map { $0.bytes[...] }, cancellation)
    if pendingCount > 0 {
      let byteCount = pending.reduce(0) { $0 + ($1?.count ?? 0) }
      var builder = try SegmentBuilder(
        form: form, count: pendingCount, byteCount: byteCount, cancellation)
      for (objectID, record) in zip(pendingIDs, pending) {
        if let record { try builder.add(objectID: objectID, record: record) }
      }
      let segment = try builder.build()
      views.append(
        SegmentView(segment: segment, live: Bitmap(count: segment.count, filledWith: true)))
    }
    return with(try Self.merged(views, settings, cancellation))
  }

  /// Returns the snapshot with one more segment. Its live documents replace older documents with
  /// the same IDs.
  ///
  /// - Complexity: O(b log n) for b documents, plus merges.
  func adding(_ view: SegmentView, _ cancellation: CancellationCheck) throws -> IndexSnapshot {
    guard view.liveCount > 0 else { return with(segments) }
    let ids = view.live.members.lazy.map { view.segment.records.objectIDBytes(of: Int($0)) }
    let views = try views(without: ids, cancellation)
    return with(try Self.merged(views + [view], settings, cancellation))
  }

  /// Returns the segments without the records with the given IDs. Segments without records are
  /// dropped.
  private func views(
    without ids: some Sequence<ArraySlice<UInt8>>, _ cancellation: CancellationCheck
  ) throws -> [SegmentView] {
    var views: [SegmentView] = []
    for view in segments {
      var live = view.live
      var isChanged = false
      for id in ids {
        try cancellation.count()
        guard let document = view.segment.records.document(withObjectID: id), live[document] else {
          continue
        }
        live[document] = false
        isChanged = true
      }
      let remaining = isChanged ? SegmentView(segment: view.segment, live: live) : view
      if remaining.liveCount > 0 { views.append(remaining) }
    }
    return views
  }

  /// Returns the snapshot with other settings. Every record is read again, into one segment.
  ///
  /// - Complexity: O(n).
  package func reindexed(
    with settings: IndexSettings, _ cancellation: CancellationCheck = CancellationCheck()
  ) throws -> IndexSnapshot {
    let count = recordCount
    let form = IndexForm(
      settings, placeholders: entries.placeholders, segmenter: segmenter)
    var views: [SegmentView] = []
    if segments.count == 1, let view = segments.first, 2 * count > view.segment.count {
      // The records stay as they are.
      let segment = try SegmentBuilder.indexing(
        view.segment.records, view.live, form: form, cancellation)
      views.append(SegmentView(segment: segment, live: view.live))
    } else if count > 0 {
      let byteCount = segments.reduce(0) { $0 + $1.segment.records.byteCount }
      var builder = try SegmentBuilder(
        form: form, count: count, byteCount: byteCount, cancellation)
      for view in segments {
        let records = view.segment.records
        try view.live.forEach {
          let record = records.bytes(of: $0)
          try builder.add(
            objectID: records.objectID(of: $0), record: record, root: cancellation.record(record))
        }
      }
      let segment = try builder.build()
      views.append(
        SegmentView(segment: segment, live: Bitmap(count: segment.count, filledWith: true)))
    }
    HeapMemory.releaseFree(afterIndexing: views.first?.segment.records.byteCount ?? 0)
    return with(views, settings)
  }

  /// Merges segments of few documents until the policy needs no more such merges.
  private static func merged(
    _ views: [SegmentView], _ settings: IndexSettings, _ cancellation: CancellationCheck
  ) throws -> [SegmentView] {
    var views = views
    while let merge = MergePolicy.nextMerge(
      liveCounts: views.map(\.liveCount), counts: views.map(\.segment.count)),
      let position = merge.first
    {
      let sources = merge.map { views[$0] }
      guard sources.reduce(0, { $0 + $1.liveCount }) <= MergePolicy.maximumCountInWrite else {
        break
      }
      let segment = try SegmentBuilder.merging(sources, settings: settings, cancellation)
      for index in merge.reversed() { views.remove(at: index) }
      views.insert(
        SegmentView(segment: segment, live: Bitmap(count: segment.count, filledWith: true)),
        at: position)
    }
    return views
  }
}

/// One validated change of an index.
package enum WriteOperation: Sendable {
  /// Adds a record, or replaces the one with the same object ID. `record` is a JSON object with
  /// `objectID`.
  case put(objectID: String, record: [UInt8])
  /// Removes a record, if it exists.
  case delete(objectID: String)
  /// Removes all records.
  case clear

  /// The approximate memory of the operation, in bytes.
  var size: Int {
    switch self {
    case .put(_, let record): 64 + record.count
    case .delete, .clear: 64
    }
  }
}
