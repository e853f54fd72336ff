import AsyncInstantSearch

/// What a call probably did not mean, though the contract allows it.
///
/// The answer tells the mistakes in `message`; under
/// ``LocalSearch/LocalSearch/Configuration/rejectsMistakes`` they are errors.
struct Mistakes: Sendable, Hashable {
  /// The mistakes that are reported, in the order in which they were noted.
  private var texts: [String] = []
  /// How many there are beyond these.
  private var moreCount = 0

  /// How many are reported.
  private static let maximumCount = 5

  /// Notes a mistake, each once; its text is made only when it is reported.
  mutating func note(_ text: @autoclosure () -> String) {
    if texts.count < Self.maximumCount { texts.append(text()) } else { moreCount += 1 }
  }

  /// The text for the answer; `nil` without a mistake.
  var message: String? {
    guard !texts.isEmpty else { return nil }
    return texts.joined(separator: ". ") + (moreCount > 0 ? ". And \(moreCount) more" : "")
  }
}

/// The mistakes of a snapshot, once somebody has asked for them.
final class KnownMistakes: Sendable {
  private let mistakes = Lock<Mistakes?>(nil)

  /// The mistakes; two that ask at once may both work them out.
  func value(_ make: () -> Mistakes) -> Mistakes {
    if let known = mistakes.withLock({ $0 }) { return known }
    let made = make()
    mistakes.withLock { $0 = made }
    return made
  }
}

extension IndexSettings {
  /// The settings of the contract that have no property, for they have no effect here.
  private static let storedNames: Set<String> = [
    "allowCompressionOfIntegerArray", "attributesToTransliterate", "camelCaseAttributes",
    "customNormalization", "decompoundQuery", "decompoundedAttributes", "enablePersonalization",
    "enableReRanking", "enableRules", "indexLanguages", "mode", "reRankingApplyFilter",
    "relevancyStrictness", "semanticSearch", "version", WriteTransaction.primarySetting,
  ]

  /// What settings were called once, and are called now.
  private static let newNames = [
    "attributesToIndex": "searchableAttributes",
    "numericAttributesToIndex": "numericAttributesForFiltering",
    "slaves": "replicas",
  ]

  /// The settings that no engine knows.
  func noteUnknownSettings(in mistakes: inout Mistakes) {
    for name in additionalSettings.keys.sorted() where !Self.storedNames.contains(name) {
      if let newName = Self.newNames[name] {
        mistakes.note("The setting \"\(name)\" has no effect; it is called \"\(newName)\" now")
      } else {
        mistakes.note(
          "There is no setting \"\(name)\""
            + NearestName.hint(for: name, among: Self.names.union(Self.storedNames).sorted()))
      }
    }
  }
}

extension Snapshot {
  /// What is wrong with the settings, and with the settings for these records.
  func settingsMistakes() -> Mistakes {
    var mistakes = Mistakes()
    settings.noteUnknownSettings(in: &mistakes)
    guard recordCount > 0 else { return mistakes }
    let fields = segments.map(\.segment.text.fields)
    // Where there are more fields than can be distinguished, an attribute may be among the others.
    guard fields.allSatisfy({ $0.count < Occurrence.maximumField }) else { return mistakes }
    for path in SearchableAttributes(settings.searchableAttributes).paths {
      let isFound = fields.contains { fields in
        fields.contains { $0.path == path || $0.path.hasPrefix(path + ".") }
      }
      // Only text is indexed; an attribute that some record has may be empty everywhere.
      if isFound || hasAttribute(path) { continue }
      mistakes.note(
        "searchableAttributes: no record has the attribute \"\(path)\""
          + NearestName.hint(for: path, among: attributeNames))
    }
    return mistakes
  }

  private func hasAttribute(_ path: String) -> Bool {
    segments.contains { view in
      view.segment.attributes.names.contains { $0 == path || $0.hasPrefix(path + ".") }
    }
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

extension ResolvedSearch {
  /// What the search asks for in vain.
  func mistakes(in snapshot: Snapshot) -> Mistakes {
    var mistakes = snapshot.mistakes
    for name in query.additionalParameters.keys.sorted() {
      mistakes.note("Unknown parameter: " + name + Self.parameterHint(for: name))
    }
    noteFacets(snapshot, in: &mistakes)
    var seen: Set<FilterSubject> = []
    for expression in filters.required + filters.optional {
      noteFilters(expression, snapshot, &seen, in: &mistakes)
    }
    return mistakes
  }

  /// The parameter that was probably meant.
  static func parameterHint(for name: String) -> String {
    NearestName.hint(for: name, among: SearchParameter.names.sorted())
  }

  private func noteFacets(_ snapshot: Snapshot, in mistakes: inout Mistakes) {
    guard let names = query.facets, !names.contains("*") else { return }
    let counted = Set(facets.map(\.attribute))
    lazy var declared = FacetDeclaration.all(in: settings)
    var seen: Set<String> = []
    for name in names where seen.insert(name).inserted {
      if counted.contains(name) {
        guard snapshot.recordCount > 0, !snapshot.hasFacetValues(name) else { continue }
        mistakes.note(
          "facets: no record has a value of \"\(name)\""
            + NearestName.hint(for: name, among: snapshot.attributeNames))
        continue
      }
      if declared.contains(where: { $0.attribute == name }) {
        mistakes.note("facets: \"\(name)\" is filterOnly in attributesForFaceting")
      } else {
        mistakes.note(
          "facets: \"\(name)\" is not in attributesForFaceting"
            + NearestName.hint(for: name, among: declared.map(\.attribute)))
      }
    }
  }

  /// What a filter is about, whatever its value.
  private enum FilterSubject: Hashable {
    case facet(String)
    case numeric(String)
    case range(String)
    case tag
  }

  private func noteFilters(
    _ expression: FilterExpression, _ snapshot: Snapshot, _ seen: inout Set<FilterSubject>,
    in mistakes: inout Mistakes
  ) {
    switch expression {
    case .all(let parts), .any(let parts):
      for part in parts { noteFilters(part, snapshot, &seen, in: &mistakes) }
    case .literal(let literal):
      switch literal.predicate {
      case .facet("objectID", _): break
      case .facet(let name, _):
        if seen.insert(.facet(name)).inserted { noteFacetFilter(name, snapshot, in: &mistakes) }
      case .numeric(let name, let comparison, _):
        if comparison != .equal, comparison != .notEqual, seen.insert(.range(name)).inserted {
          noteRange(name, in: &mistakes)
        }
        if seen.insert(.numeric(name)).inserted { noteNumericFilter(name, snapshot, in: &mistakes) }
      case .range(let name, _, _):
        if seen.insert(.range(name)).inserted { noteRange(name, in: &mistakes) }
        if seen.insert(.numeric(name)).inserted { noteNumericFilter(name, snapshot, in: &mistakes) }
      case .tag(let tag):
        if seen.insert(.tag).inserted { noteTagFilter(tag, snapshot, in: &mistakes) }
      }
    }
  }

  private func noteFacetFilter(
    _ name: String, _ snapshot: Snapshot, in mistakes: inout Mistakes
  ) {
    if snapshot.hasFacetValues(name) { return }
    let declared = FacetDeclaration.all(in: settings).map(\.attribute)
    if !declared.contains(name) {
      mistakes.note(
        "Filters by \"\(name)\" find nothing: it is not in attributesForFaceting"
          + NearestName.hint(for: name, among: declared))
    } else if snapshot.recordCount > 0 {
      mistakes.note(
        "Filters by \"\(name)\" find nothing: no record has a value of it"
          + NearestName.hint(for: name, among: snapshot.attributeNames))
    }
  }

  private func noteNumericFilter(
    _ name: String, _ snapshot: Snapshot, in mistakes: inout Mistakes
  ) {
    guard snapshot.recordCount > 0,
      snapshot.segments.allSatisfy({ $0.segment.attributes.numeric(name) == nil })
    else { return }
    if let declared = NumericDeclaration.all(in: settings), declared[name] == nil {
      mistakes.note(
        "Filters by numbers of \"\(name)\" find nothing:"
          + " it is not in numericAttributesForFiltering"
          + NearestName.hint(for: name, among: declared.keys.sorted()))
    } else {
      mistakes.note(
        "Filters by numbers of \"\(name)\" find nothing: no record has a number there"
          + NearestName.hint(
            for: name, among: snapshot.segments.lazy.flatMap { $0.segment.attributes.numericNames })
      )
    }
  }

  private func noteRange(_ name: String, in mistakes: inout Mistakes) {
    guard settings.numericAttributesForFiltering != nil,
      NumericDeclaration.all(in: settings)?[name]?.isEqualOnly == true
    else { return }
    mistakes.note(
      "Filters by ranges of \"\(name)\" find nothing:"
        + " it is equalOnly in numericAttributesForFiltering")
  }

  private func noteTagFilter(_ tag: String, _ snapshot: Snapshot, in mistakes: inout Mistakes) {
    guard snapshot.recordCount > 0,
      snapshot.segments.allSatisfy({ $0.segment.attributes.tags.values.isEmpty })
    else { return }
    mistakes.note(
      "The filter \"\(tag)\" is for a tag, and no record has _tags;"
        + " a filter by an attribute is written attribute:value")
  }
}
