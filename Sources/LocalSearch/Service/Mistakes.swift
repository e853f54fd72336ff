import AsyncInstantSearch

/// What is valid but can have no effect.
///
/// The answer reports the mistakes in `message`; under
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
    let sentences = texts + (moreCount > 0 ? ["And \(moreCount) more"] : [])
    return sentences.reduce("") { message, sentence in
      if message.isEmpty { return sentence }
      return message + (message.hasSuffix("?") ? " " : ". ") + sentence
    }
  }
}

/// The mistakes of a snapshot, kept from the first use on.
final class KnownMistakes: Sendable {
  private let mistakes = Lock<Mistakes?>(nil)

  /// The mistakes; two calls at once may both work them out.
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
    noteCustomRanking(in: &mistakes)
    return mistakes
  }

  /// The attributes of the custom ranking that no record has.
  private func noteCustomRanking(in mistakes: inout Mistakes) {
    for criterion in settings.customRanking.compactMap(SortCriterion.init) {
      noteMissing(criterion.attribute, of: "customRanking", in: &mistakes)
    }
  }

  /// Notes an attribute that no record has, nor anything beneath it.
  func noteMissing(_ path: String, of parameter: String, in mistakes: inout Mistakes) {
    if recordCount == 0 || hasAttribute(path) { return }
    mistakes.note(
      "\(parameter): no record has the attribute \"\(path)\""
        + NearestName.hint(for: path, among: attributeNames))
  }

  /// Whether some record has an attribute or something beneath it, or may have it.
  func hasAttribute(_ path: String) -> Bool {
    path == "objectID" || segments.contains { $0.segment.attributes.mayHave(path) }
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
