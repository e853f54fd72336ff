import InstantSearchJSON

/// Indexes the records of a load while they are read, before the index has them.
///
/// So a long load delays no other write, and its text and its values need not be in memory at once.
struct RecordLoad {
  private let engine: EngineState
  private let form: IndexForm
  private let snapshot: IndexSnapshot?
  private let cancellation: CancellationCheck
  private var builder: SegmentBuilder
  /// The IDs in the order of the records.
  private(set) var objectIDs: [String] = []
  /// Assigns IDs; `nil` until a record has none.
  private var assigner: ObjectIDAssigner?
  /// The number and the document of the record with each assigned ID.
  private var assigned = PartitionedDictionary<ByteString, (number: Int, document: Int)>()

  /// Creates a load.
  ///
  /// - Parameter byteCount: The size of all records in bytes, or a little more.
  init(
    into indexName: String, of engine: EngineState, byteCount: Int,
    _ cancellation: CancellationCheck
  ) throws {
    try ParameterCheck.indexName(indexName)
    self.engine = engine
    self.cancellation = cancellation
    snapshot = engine.indexStore.snapshots[indexName]
    let segmenter = engine.configuration.segmenter
    form = IndexForm(
      snapshot?.settings ?? IndexSettings(), placeholders: snapshot?.entries.placeholders ?? [],
      segmenter: segmenter)
    builder = try SegmentBuilder(form: form, byteCount: byteCount, cancellation)
  }

  /// Checks and adds a record.
  ///
  /// - Throws: An `APIError` without the location of the record.
  mutating func add(_ value: RecordReader.Value) throws {
    let own = try EncodedRecord.check(value.node, cancellation)
    if let own, assigner != nil { try take(own) }
    let id = try own ?? nextID()
    try add(value, id)
    objectIDs.append(id)
  }

  /// Returns the indexed records.
  mutating func build() throws -> LoadedRecords {
    let segment = try builder.build()
    var loaded = LoadedRecords(
      view: SegmentView(segment: segment, live: try segment.records.latest(cancellation)),
      form: form)
    for name in form.settings.replicaNames {
      guard var replica = engine.indexStore.snapshots[name] else { continue }
      replica.segmenter = engine.configuration.segmenter
      try loaded.index(with: replica.form, cancellation)
    }
    HeapMemory.releaseFree(afterIndexing: segment.records.byteCount)
    return loaded
  }

  private mutating func add(_ value: RecordReader.Value, _ objectID: String) throws {
    let (range, start) = (value.node.sourceRange, value.bytes.startIndex)
    let bytes = value.bytes[start + range.lowerBound..<start + range.upperBound]
    guard value.node["objectID"]?.isString(objectID) ?? false,
      EncodedRecord.loneSurrogate(in: bytes) == nil
    else {
      let record = try EncodedRecord(value.node, objectID: objectID, cancellation)
      try engine.configuration.check(size: record.bytes.count, of: objectID)
      return try builder.add(objectID: objectID, record: record.bytes)
    }
    try engine.configuration.check(size: range.count, of: objectID)
    try builder.add(objectID: objectID, record: bytes, root: value.node)
  }

  /// Returns an ID for the next record.
  private mutating func nextID() throws -> String {
    if assigner == nil {
      assigner = try ObjectIDAssigner(
        engine.objectIDGenerator, snapshot: snapshot, taken: objectIDs, cancellation)
    }
    // There is an assigner.
    guard let id = try assigner?.next() else { return "" }
    try assigned.set(
      (number: objectIDs.count, document: builder.records.count), for: ByteString(id), cancellation)
    return id
  }

  /// Registers the ID that a record brings. An earlier record with the same assigned ID gets a new
  /// one.
  private mutating func take(_ objectID: String) throws {
    let id = ByteString(objectID)
    try assigner?.take(id)
    guard let (number, document) = assigned.removeValue(forKey: id),
      let node = try cancellation.record(builder.records.bytes(of: document))
    else { return }
    // The next record replaces the document with the old ID.
    let new = try nextID()
    let record = try EncodedRecord(node, objectID: new, cancellation)
    try builder.add(objectID: new, record: record.bytes)
    objectIDs[number] = new
    try assigned.set(
      (number, builder.records.count - 1), for: ByteString(new), cancellation)
  }
}

/// Records that are indexed already.
struct LoadedRecords: Sendable {
  /// The documents. A document with a later duplicate isn't live.
  let view: SegmentView
  private let form: IndexForm
  /// The same records, indexed for replicas.
  private var others: [(form: IndexForm, view: SegmentView)] = []

  init(view: SegmentView, form: IndexForm) {
    self.view = view
    self.form = form
  }

  /// Returns the records, indexed in a form.
  func view(with wanted: IndexForm, _ cancellation: CancellationCheck) throws -> SegmentView {
    if form.hasSameIndexing(as: wanted) { return view }
    if let other = others.first(where: { $0.form.hasSameIndexing(as: wanted) }) {
      return other.view
    }
    return SegmentView(
      segment: try SegmentBuilder.indexing(
        view.segment.records, view.live, form: wanted, cancellation),
      live: view.live)
  }

  /// Indexes the records in another form.
  fileprivate mutating func index(
    with form: IndexForm, _ cancellation: CancellationCheck
  ) throws {
    others.append((form, try view(with: form, cancellation)))
  }
}
