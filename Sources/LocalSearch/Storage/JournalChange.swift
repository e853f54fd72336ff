import InstantSearchAPI
import InstantSearchJSON

/// A change of indices as the journal keeps it: the outcome of a request, not the request itself.
///
/// Records are kept as they were stored, so that a later version of the engine replays the same
/// deletions by query and partial updates.
enum JournalChange: Sendable {
  /// Writes to the records of one index, which is created if it does not exist.
  case records(indexName: String, [WriteOperation])
  /// The records of a load into some indices.
  case load(indexNames: [String], SegmentView)
  case settings(indexName: String, IndexSettings)
  case removeIndex(String)
  case operation(IndexOperation)
  case entries(indexName: String, IndexEntries.Kind, IndexEntries.Change)
  case dictionaries(DictionaryEntries.Change)
}

/// A write in a journal.
struct JournalEntry: Sendable {
  /// The time of the write.
  var time: String
  /// At least the number of the latest write.
  var lastTaskID: Int64 = 0
  /// The number of IDs that were generated for records.
  var generatedIDCount: UInt64 = 0
  /// The changes of the write, in order.
  var changes: [JournalChange]
}

extension JournalEntry {
  /// Whether the entry can index records again, because settings change.
  var indexesAgain: Bool {
    changes.contains { change in
      switch change {
      case .settings: true
      // A copy of settings, or to replicas that sort in another way.
      case .operation: true
      // Placeholders that change.
      case .entries(_, .synonyms, _): true
      case .records, .load, .removeIndex, .entries, .dictionaries: false
      }
    }
  }

  /// The counters, which precede the changes.
  static func counters(_ lastTaskID: Int64, _ generatedIDCount: UInt64) -> [UInt8] {
    LittleEndian.bytes(of: UInt64(bitPattern: lastTaskID))
      + LittleEndian.bytes(of: generatedIDCount)
  }

  /// Writes the time and the changes.
  func writeChanges(to output: some FileOutput) throws {
    try output.write(time)
    try output.write(changes.count)
    for change in changes { try change.write(to: output) }
  }

  /// Reads an entry.
  init(from reader: inout SectionReader) throws {
    lastTaskID = Int64(try reader.number(atMost: Int.max / 2))
    generatedIDCount = try reader.number()
    time = try reader.text()
    changes = []
    for _ in 0..<(try reader.number()) { changes += try JournalChange.read(from: &reader) }
  }
}

extension JournalChange {
  private enum Kind: Int {
    case records, settings, removeIndex, operation, synonyms, rules, dictionary
    case dictionarySettings
  }

  private enum EntryChange: Int {
    case save, replaceAll, delete, clear
  }

  /// Writes the change.
  func write(to output: some FileOutput) throws {
    switch self {
    case .records(let name, let operations):
      try Self.write(records: operations, of: [name], to: output)
    case .load(let names, let view):
      try Self.write(records: view, of: names, to: output)
    case .settings(let name, let settings):
      try output.write(Kind.settings.rawValue)
      try output.write(name)
      try output.write(bytes: JSONValueEncoder().encode(settings))
    case .removeIndex(let name):
      try output.write(Kind.removeIndex.rawValue)
      try output.write(name)
    case .operation(let operation):
      try output.write(Kind.operation.rawValue)
      try output.write(operation.isMove)
      try output.write(
        texts: [operation.source, operation.destination] + operation.scopes.map(\.rawValue))
    case .entries(let name, let kind, let change):
      try output.write((kind == .synonyms ? Kind.synonyms : .rules).rawValue)
      try output.write(name)
      try Self.write(change, to: output)
    case .dictionaries(.entries(let name, let saved, let deleted, let replacesAll)):
      try output.write(Kind.dictionary.rawValue)
      try output.write(name.rawValue)
      try output.write(replacesAll)
      try output.write(texts: deleted)
      try output.write(texts: saved.map { String(decoding: $0.node.source, as: UTF8.self) })
    case .dictionaries(.settings(let settings)):
      try output.write(Kind.dictionarySettings.rawValue)
      try output.write(settings.text)
    }
  }

  private static func write(
    records operations: [WriteOperation], of names: [String], to output: some FileOutput
  ) throws {
    try output.write(Kind.records.rawValue)
    try output.write(texts: names)
    var (kinds, ids, bytes, ends) = ([UInt8](), [String](), [UInt8](), [0])
    for operation in operations {
      try output.cancellation.count()
      switch operation {
      case .put(let objectID, let record):
        kinds.append(0)
        ids.append(objectID)
        bytes += record
        ends.append(bytes.count)
      case .delete(let objectID):
        kinds.append(1)
        ids.append(objectID)
      case .clear: kinds.append(2)
      }
    }
    try output.write(bytes: kinds)
    try output.write(texts: ids)
    try output.write(offsets: ends)
    try output.write(bytes: bytes)
  }

  /// Writes the live documents of a segment as records to put.
  private static func write(
    records view: SegmentView, of names: [String], to output: some FileOutput
  ) throws {
    let records = view.segment.records
    var (ids, ends) = ([String](), [0])
    try view.live.forEach { document in
      try output.cancellation.count()
      ids.append(records.objectID(of: document))
      ends.append((ends.last ?? 0) + records.bytes(of: document).count)
    }
    try output.write(Kind.records.rawValue)
    try output.write(texts: names)
    try output.write(bytes: [UInt8](repeating: 0, count: ids.count))
    try output.write(texts: ids)
    try output.write(offsets: ends)
    try output.write(ends.last ?? 0)
    // Adjacent documents share one piece, which isn't copied.
    var piece: ArraySlice<UInt8> = []
    try view.live.forEach { document in
      try output.cancellation.count()
      let bytes = records.bytes(of: document)
      if bytes.startIndex != piece.endIndex {
        try output.append(piece)
        piece = bytes
      } else {
        piece = records.bytes[piece.startIndex..<bytes.endIndex]
      }
    }
    try output.append(piece)
  }

  private static func write(_ change: IndexEntries.Change, to output: some FileOutput) throws {
    switch change {
    case .save(let entries, let replacesAll):
      try output.write((replacesAll ? EntryChange.replaceAll : .save).rawValue)
      try output.write(
        texts: entries.map { String(decoding: $0.node.source, as: UTF8.self) })
    case .delete(let objectID):
      try output.write(EntryChange.delete.rawValue)
      try output.write(texts: [objectID])
    case .clear:
      try output.write(EntryChange.clear.rawValue)
      try output.write(texts: [])
    }
  }
}

extension JournalChange {
  /// Reads the next change, of one index or the same for several.
  static func read(from reader: inout SectionReader) throws -> [JournalChange] {
    let kind = Kind(rawValue: try reader.number(atMost: Int(Int32.max)))
    switch kind {
    case .records:
      let names = try reader.texts()
      let operations = try Self.operations(from: &reader)
      return names.map { .records(indexName: $0, operations) }
    case .settings:
      let name = try reader.text()
      return [.settings(indexName: name, try IndexSettings(from: &reader))]
    case .removeIndex: return [.removeIndex(try reader.text())]
    case .operation:
      let isMove = try reader.bool()
      let texts = try reader.texts()
      try reader.check(texts.count >= 2, "an operation names no indices")
      return [
        .operation(
          IndexOperation(
            isMove: isMove, source: texts[0], destination: texts[1],
            scopes: texts.dropFirst(2).compactMap(IndexOperation.Scope.init)))
      ]
    case .synonyms, .rules:
      let kind = kind == .synonyms ? IndexEntries.Kind.synonyms : .rules
      let name = try reader.text()
      return [.entries(indexName: name, kind, try Self.entryChange(kind, from: &reader))]
    case .dictionary:
      let name = try DictionaryEntries.Name(from: &reader)
      let replacesAll = try reader.bool()
      let deleted = try reader.texts()
      return [
        .dictionaries(
          .entries(
            name, saved: try DictionaryEntries.Entry.list(name, from: &reader), deleted: deleted,
            replacesAll: replacesAll))
      ]
    case .dictionarySettings:
      return [.dictionaries(.settings(try DictionarySettings(from: &reader)))]
    case nil: throw FileProblem.damaged("a write has an unknown kind")
    }
  }

  private static func operations(from reader: inout SectionReader) throws -> [WriteOperation] {
    let kinds = try reader.bytes()
    var ids = try reader.texts()[...]
    var offsets = try reader.offsets()[...]
    let bytes = try reader.bytes()
    try reader.check(offsets.last == bytes.count, "records end elsewhere")
    return try kinds.map { kind in
      try reader.cancellation.count()
      if kind == 2 { return .clear }
      guard kind < 2, let objectID = ids.popFirst() else {
        throw FileProblem.damaged("a record has no ID")
      }
      if kind == 1 { return .delete(objectID: objectID) }
      guard let start = offsets.popFirst(), let end = offsets.first else {
        throw FileProblem.damaged("a record is missing its bytes")
      }
      return .put(objectID: objectID, record: Array(bytes[start..<end]))
    }
  }

  private static func entryChange(
    _ kind: IndexEntries.Kind, from reader: inout SectionReader
  ) throws -> IndexEntries.Change {
    let change = EntryChange(rawValue: try reader.number(atMost: Int(Int32.max)))
    switch change {
    case .save, .replaceAll:
      return .save(
        try IndexEntries.Entry.list(kind, from: &reader), replacesAll: change == .replaceAll)
    case .delete:
      guard let objectID = try reader.texts(count: 1).first else { return .clear }
      return .delete(objectID: objectID)
    case .clear:
      _ = try reader.texts(count: 0)
      return .clear
    case nil: throw FileProblem.damaged("a write of \(kind) has an unknown kind")
    }
  }
}

extension IndexSettings {
  /// Reads settings. Numbers that no call could have set are damage.
  init(from reader: inout SectionReader) throws {
    let json = try reader.bytes()
    do {
      self = try JSONValueDecoder().decode(
        IndexSettings.self, from: try reader.cancellation.stored(json[...]))
      try checkNumbers()
    } catch let error as APIError {
      throw FileProblem.damaged("settings are not valid: \(error.message)")
    } catch {
      try reader.cancellation.check()
      throw FileProblem.damaged("settings cannot be read: \(error)")
    }
  }
}

extension IndexEntries.Entry {
  /// Reads a list of entries.
  static func list(
    _ kind: IndexEntries.Kind, from reader: inout SectionReader
  ) throws -> [IndexEntries.Entry] {
    try reader.texts().map { text in
      try reader.value(of: text, "\(kind)") {
        try IndexEntries.Entry($0, kind, isStored: true, reader.cancellation)
      }
    }
  }
}
