import InstantSearchJSON

/// One call that writes many records: it fills batches, sends a bounded number of them at once, and
/// keeps the order of records with the same ID.
struct BatchRun {
  private let client: SearchClient
  private let indexName: String
  private let action: BatchAction
  private let options: IndexingOptions
  private let encoder: RecordEncoder
  private let progress: IndexingProgress?

  init(
    _ action: BatchAction, in indexName: String, _ client: SearchClient,
    _ options: IndexingOptions, _ progress: IndexingProgress?
  ) throws(SearchError) {
    try EndpointCall.check(indexName: indexName)
    self.client = client
    self.indexName = indexName
    self.action = action
    self.options = options.checked
    self.progress = progress
    encoder = try RecordEncoder(client, action, options)
  }

  /// Writes all records of a sequence.
  ///
  /// - Parameters:
  ///   - total: The number of records, if it is known.
  ///   - keepsIDs: Whether the report has the IDs of the records.
  func report<Records: AsyncSequence>(
    of records: Records, total: Int?, keepsIDs: Bool
  ) async throws(SearchError) -> IndexingReport where Records.Element: Encodable {
    var ledger = BatchLedger(total: total, keepsIDs: keepsIDs, progress)
    await withTaskGroup(of: BatchOutcome.self) { group in
      await send(records, in: &group, &ledger)
      while let outcome = await group.next() { ledger.add(outcome) }
    }
    return try ledger.report(
      ofIndex: indexName, client, options.request, isCancelled: Task.isCancelled)
  }

  /// Reads records and starts a task for each batch, until the sequence or a batch fails.
  private func send<Records: AsyncSequence>(
    _ records: Records, in group: inout TaskGroup<BatchOutcome>, _ ledger: inout BatchLedger
  ) async where Records.Element: Encodable {
    var batch = RecordBatch()
    var number = 0
    do {
      for try await record in records {
        if Task.isCancelled || ledger.error != nil { return }
        switch encoder.encode(record, number: number) {
        case .success(let record):
          let isFull =
            batch.entries.count >= options.batchSize
            || !batch.entries.isEmpty
              && batch.size(with: record, action) > options.batchBytes
          if isFull {
            await start(batch, in: &group, &ledger)
            batch = RecordBatch()
          }
          batch.append(record, number: number)
        case .failure(let refused): ledger.add(refused.failure)
        }
        number += 1
      }
    } catch {
      ledger.add(SearchError(ofRecords: error, after: number, indexName))
      return
    }
    if !batch.entries.isEmpty, !Task.isCancelled, ledger.error == nil {
      await start(batch, in: &group, &ledger)
    }
  }

  /// Sends a batch once a slot is free and no batch in flight contains any of its IDs.
  private func start(
    _ batch: RecordBatch, in group: inout TaskGroup<BatchOutcome>, _ ledger: inout BatchLedger
  ) async {
    while ledger.mustWait(batch, limit: options.concurrentBatches),
      let outcome = await group.next()
    {
      ledger.add(outcome)
    }
    if ledger.error != nil || Task.isCancelled { return }
    let batchNumber = ledger.start(batch)
    group.addTask { [self] in await outcome(of: batch, batchNumber) }
  }

  /// Sends a batch. If the service rejects a record and names its position, the other records are
  /// sent without it.
  private func outcome(of batch: RecordBatch, _ number: Int) async -> BatchOutcome {
    var outcome = BatchOutcome(number: number)
    var pending = [batch.entries[...]]
    while let entries = pending.popLast() {
      let call = EndpointCall(
        .batch(index: indexName), body: batch.body(of: entries, action))
      do throws(SearchError) {
        let response = try await client.rawResponse(to: call, options: options.request)
        guard !(200..<300).contains(response.status) else {
          outcome.add(entries, taskID: try WriteResponse(response, to: call).taskID)
          continue
        }
        let error = CallContext(call).error(from: response)
        guard let position = Self.refusedPosition(in: response), position < entries.count,
          outcome.failures.count < Self.maximumRefusalCount
        else { throw error }
        let refused = entries.startIndex + position
        outcome.failures.append(
          HitFailure(
            position: entries[refused].number + 1, objectID: entries[refused].objectID,
            codingPath: [], reason: error.message))
        // The last one is sent first.
        for rest in [entries[(refused + 1)...], entries[..<refused]] where !rest.isEmpty {
          pending.append(rest)
        }
      } catch {
        outcome.error = error
        return outcome
      }
    }
    return outcome
  }

  /// The number of records of a batch that the service may reject before the batch fails. Each of
  /// them requires sending the rest of the batch once more.
  private static let maximumRefusalCount = 100

  /// The position of the record that the service rejected, in the requests of the batch.
  private static func refusedPosition(in response: TransportResponse) -> Int? {
    guard response.status == 400, let document = try? JSONDocument(response.body),
      let position = document.root["position"]?.int, position >= 0
    else { return nil }
    return position
  }
}

/// The outcome of one batch.
struct BatchOutcome: Sendable {
  /// The number of the batch in its call.
  let number: Int
  private(set) var objectIDs: [(number: Int, id: String)] = []
  private(set) var bytes = 0
  private(set) var taskID: Int64?
  var failures: [HitFailure] = []
  /// The error that ended the batch.
  var error: SearchError?

  init(number: Int) { self.number = number }

  /// Adds records that the service accepted.
  mutating func add(_ entries: ArraySlice<RecordBatch.Entry>, taskID: Int64) {
    for entry in entries {
      objectIDs.append((entry.number, entry.objectID))
      bytes += entry.range.count
    }
    self.taskID = max(self.taskID ?? taskID, taskID)
  }
}

/// Keeps the outcomes of the batches of one call, and the batches in flight.
struct BatchLedger {
  private let keepsIDs: Bool
  private let progress: IndexingProgress?
  private var state: IndexingProgress.State
  private var batchCount = 0
  /// The IDs of the records of each batch in flight.
  private var idsUnderWay: [Int: Set<String>] = [:]
  private var objectIDs: [(number: Int, id: String)] = []
  private var taskID: Int64?
  private var failures: [HitFailure] = []
  /// The error that ended the call.
  private(set) var error: SearchError?

  /// The number of failures that an error has at most. All are counted.
  private static let maximumFailureCount = 1_000

  init(total: Int?, keepsIDs: Bool, _ progress: IndexingProgress?) {
    self.keepsIDs = keepsIDs
    self.progress = progress
    state = IndexingProgress.State(total: total)
    progress?.update(state)
  }

  /// Whether a batch waits for one in flight.
  func mustWait(_ batch: RecordBatch, limit: Int) -> Bool {
    idsUnderWay.count >= limit
      || idsUnderWay.values.contains { !$0.isDisjoint(with: batch.objectIDs) }
  }

  /// Records that a batch is in flight, and returns its number.
  mutating func start(_ batch: RecordBatch) -> Int {
    batchCount += 1
    idsUnderWay[batchCount] = batch.objectIDs
    return batchCount
  }

  /// Adds the outcome of a batch.
  mutating func add(_ outcome: BatchOutcome) {
    idsUnderWay[outcome.number] = nil
    state.saved += outcome.objectIDs.count
    state.bytes += outcome.bytes
    if keepsIDs { objectIDs += outcome.objectIDs }
    if let id = outcome.taskID { taskID = max(taskID ?? id, id) }
    for failure in outcome.failures { count(failure) }
    if let error = outcome.error { add(error) }
    progress?.update(state)
  }

  /// Adds a record that was not sent.
  mutating func add(_ failure: HitFailure) {
    count(failure)
    progress?.update(state)
  }

  /// Adds an error that ended the call. The first error counts.
  mutating func add(_ error: SearchError) { self.error = self.error ?? error }

  private mutating func count(_ failure: HitFailure) {
    state.failed += 1
    if failures.count < Self.maximumFailureCount { failures.append(failure) }
  }

  /// Returns the report, unless the call failed or some records did.
  func report(
    ofIndex indexName: String, _ client: SearchClient, _ options: RequestOptions, isCancelled: Bool
  ) throws(SearchError) -> IndexingReport {
    let saved = state.saved == 1 ? "1 record was saved" : "\(state.saved) records were saved"
    if isCancelled {
      throw SearchError(.cancelled, "The call was cancelled. \(saved).", indexName: indexName)
    }
    if var error {
      if state.saved > 0 { error.message += " (\(saved) before)" }
      error.failures = error.failures.isEmpty ? sortedFailures : error.failures
      throw error
    }
    guard failures.isEmpty else {
      throw SearchError(
        .invalidRequest,
        state.failed == 1
          ? "A record was refused; \(saved)." : "\(state.failed) records were refused; \(saved).",
        indexName: indexName, failures: sortedFailures)
    }
    var report = IndexingReport()
    report.saved = state.saved
    report.bytes = state.bytes
    report.objectIDs = objectIDs.sorted { $0.number < $1.number }.map(\.id)
    report.task = taskID.map {
      IndexTask(indexName: indexName, taskID: $0, client: client, options: options)
    }
    return report
  }

  private var sortedFailures: [HitFailure] {
    failures.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
  }
}

extension SearchError {
  /// The error of a sequence of records that failed.
  fileprivate init(ofRecords error: any Error, after count: Int, _ indexName: String) {
    if let error = error as? SearchError {
      self = error
      return
    }
    if error is CancellationError {
      self.init(.cancelled, "The sequence of records was cancelled.", indexName: indexName)
      return
    }
    self.init(
      .invalidRequest, "The sequence of records threw an error after \(count) of them.",
      indexName: indexName, underlying: "\(type(of: error))")
  }
}
