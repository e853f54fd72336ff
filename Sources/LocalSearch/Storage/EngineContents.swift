import Dispatch
import InstantSearchAPI
import InstantSearchJSON

/// The contents of an engine's file.
struct EngineContents: Sendable {
  /// The indices by name.
  var snapshots: [String: IndexSnapshot] = [:]
  /// The dictionary entries that were written.
  var dictionaries = DictionaryEntries()
  /// The number of the latest write.
  var lastTaskID: Int64 = 0
  /// The number of IDs that were generated for records.
  var generatedIDCount: UInt64 = 0
  /// The first journal with writes that the file does not have.
  var journals = JournalSeries.Start()
}

extension EngineContents {
  /// Writes the contents to an empty file, and waits until they are on the disk.
  func write(to file: any DiskFile, _ cancellation: CancellationCheck) throws {
    let writer = FileWriter(file, cancellation)
    // Segments and records that several indices share are in the file once.
    var records: [ObjectIdentifier: Int] = [:]
    var segments: [ObjectIdentifier: Int] = [:]
    // Sorted, so that equal engines have equal files.
    let sorted = snapshots.sorted { $0.key < $1.key }
    for segment in sorted.flatMap({ $0.value.segments.map(\.segment) }) {
      guard segments[ObjectIdentifier(segment)] == nil else { continue }
      let store = segment.records
      let recordsNumber =
        try records[ObjectIdentifier(store)] ?? writer.section(.records, store.write)
      records[ObjectIdentifier(store)] = recordsNumber
      segments[ObjectIdentifier(segment)] = try writer.section(.segment) { writer in
        try writer.write(recordsNumber)
        try segment.write(to: writer)
      }
    }
    var indices: [Int] = []
    for (name, snapshot) in sorted {
      indices.append(
        try writer.section(.index) { writer in
          try writer.write(name)
          try snapshot.write(to: writer) { segments[ObjectIdentifier($0)] ?? 0 }
        })
    }
    if !dictionaries.isEmpty {
      _ = try writer.section(.dictionaries) { try dictionaries.write(to: $0, cancellation) }
    }
    _ = try writer.section(.engine) { writer in
      try writer.write(UInt64(bitPattern: lastTaskID))
      try writer.write(generatedIDCount)
      try writer.write(journals.number)
      try writer.write(journals.predecessor.identity)
      try writer.write(journals.predecessor.count)
      try writer.write(journals.predecessor.digest)
      try writer.write(offsets: indices)
    }
    try writer.finish()
  }

  /// Reads the contents of a file.
  ///
  /// - Throws: ``FileProblem`` if it cannot be used.
  ///
  /// - Parameter segmenter: The segmenter of the engine.
  init(
    from file: any DiskFile, segmenter: (any WordSegmenter)?, _ cancellation: CancellationCheck
  ) throws {
    let reader = try FileReader(file, cancellation)
    let indices = try readEngine(reader)
    let segments = try Self.segments(reader)
    let kind = FileFormat.Kind.dictionaries
    if let number = reader.sections.firstIndex(where: { $0.kind == kind.rawValue }) {
      dictionaries = try reader.section(number, kind) { try DictionaryEntries(from: &$0) }
    }
    for number in indices {
      var (name, snapshot) = try reader.section(Int(clamping: number), .index) { section in
        (try section.text(), try IndexSnapshot.read(from: &section) { segments[$0] })
      }
      snapshot.segmenter = segmenter
      // Version 1 had no pairs of characters in scripts without spaces.
      snapshots[name] =
        reader.version < FileFormat.firstVersionWithWords
        ? try snapshot.reindexed(with: snapshot.settings, cancellation) : snapshot
    }
  }

  /// Reads only the start of the journals.
  static func journals(
    of file: any DiskFile, _ cancellation: CancellationCheck
  ) throws -> JournalSeries.Start {
    var contents = EngineContents()
    _ = try contents.readEngine(FileReader(file, cancellation))
    return contents.journals
  }

  /// Reads the counters, and returns the numbers of the sections with the indices.
  private mutating func readEngine(_ reader: FileReader) throws -> [UInt64] {
    try reader.section(reader.sections.count - 1, .engine) { section in
      lastTaskID = Int64(try section.number(atMost: Int.max / 2))
      generatedIDCount = try section.number()
      journals.number = UInt64(try section.number(atMost: Int.max / 2))
      journals.predecessor = Journal.Position(
        identity: try section.number(), count: try section.number(), digest: try section.number())
      return try section.array(of: UInt64.self)
    }
  }
}

extension EngineContents {
  /// The content of a large section.
  private enum Part: Sendable {
    case records(RecordStore)
    case segment(records: Int, Segment.Contents)
    case failure(any Error)
  }

  /// Reads the segments by the number of their section, several sections at once.
  private static func segments(_ reader: FileReader) throws -> [Int: Segment] {
    let sections = reader.sections
    // The longest first, so that the cores end at the same time.
    let numbers = sections.indices.filter {
      let kind = FileFormat.Kind(rawValue: sections[$0].kind)
      return kind == .records || kind == .segment
    }.sorted { sections[$0].length > sections[$1].length }
    let parts = Lock<[Int: Part]>([:])
    DispatchQueue.concurrentPerform(iterations: numbers.count) { index in
      let number = numbers[index]
      let part = part(number, of: reader)
      parts.withLock { $0[number] = part }
    }
    let read = parts.withLock { $0 }
    var segments: [Int: Segment] = [:]
    for number in numbers.sorted() {
      switch read[number] {
      case .failure(let error): throw error
      case .segment(let recordsNumber, let contents):
        guard case .records(let records) = read[recordsNumber],
          let segment = Segment(records, contents)
        else { throw FileProblem.damaged("a segment has other records") }
        segments[number] = segment
      case .records, nil: break
      }
    }
    return segments
  }

  private static func part(_ number: Int, of reader: FileReader) -> Part {
    do {
      if reader.sections[number].kind == FileFormat.Kind.records.rawValue {
        return .records(try reader.section(number, .records) { try RecordStore(from: &$0) })
      }
      return try reader.section(number, .segment) { section in
        .segment(
          records: try section.number(atMost: number), try Segment.Contents(from: &section))
      }
    } catch {
      return .failure(error)
    }
  }
}

extension IndexSnapshot {
  /// Writes the index.
  ///
  /// - Parameter number: Returns the number of a segment's section.
  fileprivate func write(to writer: FileWriter, _ number: (Segment) -> Int) throws {
    try writer.write(bytes: JSONValueEncoder().encode(settings))
    try writer.write(times != nil)
    if let times { try writer.write(texts: [times.created, times.updated]) }
    for kind in [IndexEntries.Kind.synonyms, .rules] {
      let entries = entries.entries(kind).sorted { $0.key < $1.key }
      try writer.write(texts: entries.map { String(decoding: $0.value.node.source, as: UTF8.self) })
    }
    try writer.write(offsets: segments.map { number($0.segment) })
    for view in segments { try writer.write(view.live.words) }
  }

  /// Reads an index.
  ///
  /// - Parameter segment: Returns the segment of a section.
  fileprivate static func read(
    from reader: inout SectionReader, _ segment: (Int) -> Segment?
  ) throws -> IndexSnapshot {
    let settings = try IndexSettings(from: &reader)
    let times = try reader.bool() ? reader.texts(count: 2) : nil
    var entries = IndexEntries()
    for kind in [IndexEntries.Kind.synonyms, .rules] {
      let list = try IndexEntries.Entry.list(kind, from: &reader)
      try entries.apply(.save(list, replacesAll: true), to: kind, reader.cancellation)
    }
    let views = try reader.array(of: UInt64.self).map { number in
      guard let segment = segment(Int(clamping: number)) else {
        throw FileProblem.damaged("an index has no segment")
      }
      return SegmentView(segment: segment, live: try Bitmap(from: &reader, count: segment.count))
    }
    var snapshot = empty(settings: settings).with(views)
    snapshot.entries = entries
    snapshot.times = times.map { IndexTimes(created: $0[0], updated: $0[1]) }
    return snapshot
  }
}
