/// The state of an index at one moment: settings, segments, and which of their documents exist.
///
/// Immutable. A write makes a new snapshot that shares the segments it does not touch; calls that
/// read the old one go on reading it.
package struct Snapshot: Sendable {
  /// The settings that the segments were made with.
  package let settings: IndexSettings
  /// The segments, oldest first.
  let segments: [SegmentView]
  /// The number of writes that led here.
  package let version: UInt64
  private let knownMistakes = Known<Mistakes>()
  private let knownLists = Known<SettingsLists>()
  private let knownGroups = Known<GroupNumbering>()

  /// What is wrong with the settings, worked out when it is first asked for.
  func mistakes(_ checkpoint: Checkpoint) throws -> Mistakes {
    try knownMistakes.value { try settingsMistakes(checkpoint) }
  }

  /// The lists of attributes in the settings.
  func lists(_ checkpoint: Checkpoint) throws -> SettingsLists {
    try knownLists.value { try SettingsLists(settings, checkpoint) }
  }

  /// The groups of the records, numbered when they are first asked for.
  func groups(_ checkpoint: Checkpoint) throws -> GroupNumbering {
    try knownGroups.value {
      try GroupNumbering(segments.map(\.segment.attributes.distinct), checkpoint)
    }
  }

  /// The number of records.
  package var recordCount: Int { segments.reduce(0) { $0 + $1.liveCount } }

  /// Returns an index without records.
  package static func empty(settings: IndexSettings) -> Snapshot {
    Snapshot(settings: settings, segments: [], version: 0)
  }

  /// Returns where the record with an object ID is.
  ///
  /// - Complexity: O(log n) in each segment.
  package func locate(objectID: String) -> (segment: Int, document: Int)? {
    for (index, view) in segments.enumerated().reversed() {
      if let document = view.segment.records.document(withObjectID: objectID), view.live[document] {
        return (index, document)
      }
    }
    return nil
  }

  /// The number of segments.
  package var segmentCount: Int { segments.count }

  /// Returns the JSON text of a record, its `objectID` included.
  package func record(segment: Int, document: Int) -> ArraySlice<UInt8> {
    segments[segment].segment.records.bytes(of: document)
  }

  /// Returns the object ID of a record.
  package func objectID(segment: Int, document: Int) -> String {
    segments[segment].segment.records.objectID(of: document)
  }

  /// The live documents of each segment.
  package var liveDocuments: [Bitmap] { segments.map(\.live) }
}

/// Keeps a value that is worked out when it is first asked for.
final class Known<Value: Sendable>: Sendable {
  private let value = Lock<Value?>(nil)

  /// The value; two calls at once may both work it out, and one that ends early keeps none.
  func value(_ make: () throws -> Value) rethrows -> Value {
    if let known = value.withLock({ $0 }) { return known }
    let made = try make()
    value.withLock { $0 = made }
    return made
  }
}

extension Snapshot {
  /// What is wrong with the settings, and with the settings for these records.
  private func settingsMistakes(_ checkpoint: Checkpoint) throws -> Mistakes {
    var mistakes = Mistakes()
    try checkpoint.count(1 + settings.additionalSettings.count)
    settings.noteUnknownSettings(in: &mistakes)
    settings.noteDistinct(settings.distinct, in: &mistakes)
    guard recordCount > 0 else { return mistakes }
    if let attribute = settings.attributeForDistinct {
      try checkpoint.count(1 + segmentCount)
      try noteMissing(attribute, of: "attributeForDistinct", checkpoint, in: &mistakes)
    }
    for path in try lists(checkpoint).searchable.paths {
      try checkpoint.count(1 + segmentCount)
      try noteMissing(path, of: "searchableAttributes", checkpoint, in: &mistakes)
    }
    try noteCriteria(settings.customRanking, of: "customRanking", checkpoint, in: &mistakes)
    try noteCriteria(settings.ranking, of: "ranking", checkpoint, in: &mistakes)
    return mistakes
  }

  /// Notes the attributes of criteria that no record has.
  func noteCriteria(
    _ criteria: [String], of parameter: String, _ checkpoint: Checkpoint,
    in mistakes: inout Mistakes
  ) throws {
    for criterion in criteria.compactMap(SortCriterion.init) {
      try checkpoint.count(1 + segmentCount)
      try noteMissing(criterion.attribute, of: parameter, checkpoint, in: &mistakes)
    }
  }

  /// Notes an attribute that no record has, nor anything beneath it.
  func noteMissing(
    _ path: String, of parameter: String, _ checkpoint: Checkpoint, in mistakes: inout Mistakes
  ) throws {
    if try recordCount == 0 || hasAttribute(path, checkpoint) { return }
    mistakes.note(
      "\(parameter): no record has the attribute \"\(path)\""
        + NearestName.hint(for: path, among: attributeNames))
  }

  /// Whether some record has an attribute or something beneath it, or may have it.
  ///
  /// - Complexity: A look-up for each segment.
  func hasAttribute(_ path: String, _ checkpoint: Checkpoint) throws -> Bool {
    // What is in a place is not among the attributes.
    let path = path.hasPrefix("_geoloc.") ? "_geoloc" : path
    return try path == "objectID"
      || segments.contains { try $0.segment.attributes.mayHave(path, checkpoint) }
  }

  /// Whether some record has a value of a declared facet.
  func hasFacetValues(_ attribute: String) -> Bool {
    segments.contains { $0.segment.attributes.facet(attribute)?.values.isEmpty == false }
  }

  /// The attributes of the records, in the order in which they were met; of very many the first.
  var attributeNames: some Sequence<String> {
    segments.lazy.flatMap { $0.segment.attributes.names }
  }
}
