/// The state of an index at one moment: settings, segments, and their live documents.
///
/// A snapshot is immutable. A write creates a new snapshot, which shares the segments that it does
/// not change. Calls that read the old snapshot continue with it.
package struct IndexSnapshot: Sendable {
  /// The settings of the segments.
  package let settings: IndexSettings
  /// The segments, oldest first.
  let segments: [SegmentView]
  /// The number of writes up to this snapshot.
  package var version: UInt64
  /// The synonyms and the rules.
  var entries: IndexEntries { didSet { cachedSynonyms = CachedValue() } }
  /// The dictionaries, as far as the caller of a search has set them.
  var dictionaries = Dictionaries.standard
  /// The segmenter of the engine.
  var segmenter: (any WordSegmenter)?
  /// The times of the first and the latest write; `nil` before the first one is published.
  var times: IndexTimes?
  private let cachedMistakes = CachedValue<Mistakes>()
  private let cachedLists = CachedValue<SettingsLists>()
  private let cachedGroups: CachedValue<GroupNumbering>
  private var cachedSynonyms: CachedValue<SynonymTable>
  private let knownAttributes = KnownAttributes()

  init(
    settings: IndexSettings, segments: [SegmentView], version: UInt64 = 0,
    entries: IndexEntries = IndexEntries(), times: IndexTimes? = nil
  ) {
    self.init(
      settings: settings, segments: segments, version: version, entries: entries, times: times,
      groups: CachedValue(), synonyms: CachedValue())
  }

  private init(
    settings: IndexSettings, segments: [SegmentView], version: UInt64, entries: IndexEntries,
    times: IndexTimes?, groups: CachedValue<GroupNumbering>, synonyms: CachedValue<SynonymTable>
  ) {
    self.settings = settings
    self.segments = segments
    self.version = version
    self.entries = entries
    self.times = times
    cachedGroups = groups
    cachedSynonyms = synonyms
  }

  /// What determines the contents of the segments.
  var form: IndexForm {
    IndexForm(settings, placeholders: entries.placeholders, segmenter: segmenter)
  }

  /// Returns the index with the dictionaries and the segmenter of its engine.
  func with(_ dictionaries: Dictionaries, _ segmenter: (any WordSegmenter)?) -> IndexSnapshot {
    if self.dictionaries === dictionaries, segmenter == nil { return self }
    var result = self
    result.dictionaries = dictionaries
    result.segmenter = segmenter
    return result
  }

  /// Returns the tokenizer of the records.
  func tokenizer(_ cancellation: CancellationCheck) throws -> Tokenizer {
    segmenter == nil && entries.placeholders.isEmpty
      ? try lists(cancellation).tokenizer : form.tokenizer
  }

  /// Returns the index with other entries. Records are indexed again if its placeholders change.
  func with(
    _ entries: IndexEntries, _ cancellation: CancellationCheck
  ) throws -> IndexSnapshot {
    var result = self
    result.entries = entries
    guard result.form.hasSameIndexing(as: form) else {
      return try result.reindexed(with: settings, cancellation)
    }
    return result
  }

  /// Returns the mistakes in the settings, found on first use.
  func mistakes(_ cancellation: CancellationCheck) throws -> Mistakes {
    try cachedMistakes.value { try settingsMistakes(cancellation) }
  }

  /// Returns the lists of attributes in the settings, created on first use.
  func lists(_ cancellation: CancellationCheck) throws -> SettingsLists {
    try cachedLists.value { try SettingsLists(settings, cancellation) }
  }

  /// Returns the groups of the records, numbered on first use.
  func groups(_ cancellation: CancellationCheck) throws -> GroupNumbering {
    try cachedGroups.value {
      try GroupNumbering(segments.map(\.segment.attributes.distinct), cancellation)
    }
  }

  /// Returns the synonyms, arranged on first use, and the dictionaries.
  func lexicon(_ cancellation: CancellationCheck) throws -> Lexicon {
    Lexicon(
      synonyms: try cachedSynonyms.value { try entries.synonymTable(form, cancellation) },
      dictionaries: dictionaries, segmenter: segmenter)
  }

  /// The number of records.
  package var recordCount: Int { segments.reduce(0) { $0 + $1.liveCount } }

  /// Returns an index without records.
  package static func empty(settings: IndexSettings) -> IndexSnapshot {
    IndexSnapshot(settings: settings, segments: [])
  }

  /// Returns the index with other segments, which have the given settings.
  func with(_ segments: [SegmentView], _ settings: IndexSettings? = nil) -> IndexSnapshot {
    var result = IndexSnapshot(
      settings: settings ?? self.settings, segments: segments, version: version &+ 1,
      entries: entries, times: times, groups: CachedValue(),
      synonyms: settings == nil ? cachedSynonyms : CachedValue())
    result.segmenter = segmenter
    return result
  }

  /// Returns the index with the same records in other segments.
  func withSameRecords(_ segments: [SegmentView]) -> IndexSnapshot {
    var result = IndexSnapshot(
      settings: settings, segments: segments, version: version, entries: entries, times: times,
      groups: CachedValue(), synonyms: cachedSynonyms)
    result.segmenter = segmenter
    return result
  }

  /// Returns the index for a caller that may see unretrievable attributes.
  func withoutHiddenAttributes() -> IndexSnapshot {
    if settings.unretrievableAttributes.isEmpty { return self }
    var settings = settings
    settings.unretrievableAttributes = []
    var result = IndexSnapshot(
      settings: settings, segments: segments, version: version, entries: entries, times: times,
      groups: cachedGroups, synonyms: cachedSynonyms)
    result.dictionaries = dictionaries
    result.segmenter = segmenter
    return result
  }

  /// Returns the location of the record with an object ID, or `nil`.
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

  /// Returns the JSON text of a record, including its `objectID`.
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

/// The times of the first and of the latest write to an index.
struct IndexTimes: Sendable, Hashable {
  var created: String
  var updated: String
}

extension IndexSnapshot {
  /// Returns the mistakes in the settings, in themselves and for these records.
  private func settingsMistakes(_ cancellation: CancellationCheck) throws -> Mistakes {
    var mistakes = Mistakes()
    try cancellation.count(1 + settings.additionalSettings.count)
    settings.noteUnknownSettings(in: &mistakes)
    try settings.noteReported(in: &mistakes)
    settings.noteDistinct(settings.distinct, in: &mistakes)
    guard recordCount > 0 else { return mistakes }
    if let attribute = settings.attributeForDistinct {
      try cancellation.count(1 + segmentCount)
      try noteMissing(attribute, of: "attributeForDistinct", cancellation, in: &mistakes)
    }
    for path in try lists(cancellation).searchable.paths {
      try cancellation.count(1 + segmentCount)
      try noteMissing(path, of: "searchableAttributes", cancellation, in: &mistakes)
    }
    for path in settings.camelCaseAttributes {
      try cancellation.count(1 + segmentCount)
      try noteMissing(path, of: "camelCaseAttributes", cancellation, in: &mistakes)
    }
    for (language, paths) in settings.decompoundedAttributes {
      for path in paths {
        try cancellation.count(1 + segmentCount)
        try noteMissing(path, of: "decompoundedAttributes", cancellation, in: &mistakes)
      }
      if !Decompounder.knows(language), !dictionaries.languages(.compounds).contains(language) {
        mistakes.note(
          "decompoundedAttributes: there are no compounds in the language"
            + " \"\(language.rawValue)\"")
      }
    }
    try noteCriteria(settings.customRanking, of: "customRanking", cancellation, in: &mistakes)
    try noteCriteria(settings.ranking, of: "ranking", cancellation, in: &mistakes)
    return mistakes
  }

  /// Adds the attributes of criteria that no record has.
  func noteCriteria(
    _ criteria: [String], of parameter: String, _ cancellation: CancellationCheck,
    in mistakes: inout Mistakes
  ) throws {
    for criterion in criteria.compactMap(SortCriterion.init) {
      try cancellation.count(1 + segmentCount)
      try noteMissing(criterion.attribute, of: parameter, cancellation, in: &mistakes)
    }
  }

  /// Adds an attribute if no record has it or anything below it.
  func noteMissing(
    _ path: String, of parameter: String, _ cancellation: CancellationCheck,
    in mistakes: inout Mistakes
  ) throws {
    if try recordCount == 0 || hasAttribute(path, cancellation) { return }
    try mistakes.note(
      "\(parameter): no record has the attribute \"\(path)\""
        + hint(for: path, cancellation))
  }

  /// Returns `; did you mean "brand"?` with the attribute of a record that a name probably means.
  func hint(for name: String, _ cancellation: CancellationCheck) throws -> String {
    try NearestName.hint(for: name, among: attributeNames) {
      try !settings.hides($0) && hasAttribute($0, cancellation)
    }
  }

  /// Whether a record has, or may have, an attribute or something below it.
  ///
  /// - Complexity: One lookup for each segment, and O(n) once for an attribute that only deleted
  ///   records have.
  func hasAttribute(_ path: String, _ cancellation: CancellationCheck) throws -> Bool {
    // The members of points are not among the attributes.
    let path = path.hasPrefix("_geoloc.") ? "_geoloc" : path
    if path == "objectID" { return true }
    if segments.allSatisfy(\.isWhole) {
      return try segments.contains { try $0.hasAttribute(path, cancellation) }
    }
    if let known = knownAttributes.value(of: path) { return known }
    let isThere = try segments.contains { try $0.hasAttribute(path, cancellation) }
    knownAttributes.set(isThere, of: path)
    return isThere
  }

  /// Whether an attribute shares a field in a segment, because there are too many attributes.
  func sharesField(_ path: String, _ cancellation: CancellationCheck) throws -> Bool {
    try segments.contains { view in
      let fields = view.segment.text.fields
      guard fields.count > Occurrence.maximumField, try view.hasAttribute(path, cancellation) else {
        return false
      }
      try cancellation.count(fields.count &>> 4)
      return !fields.contains { $0.path.isPath(in: path) }
    }
  }

  /// Whether a record has a value of a declared facet.
  func hasFacetValues(_ attribute: String, _ cancellation: CancellationCheck) throws -> Bool {
    try segments.contains { try $0.hasFacetValues(attribute, cancellation) }
  }

  /// The attributes of the records, sorted, and possibly some of deleted ones. Truncated if there
  /// are too many.
  private var attributeNames: [String] {
    Set(segments.lazy.flatMap { $0.segment.attributes.names }).sorted()
  }
}
