package import InstantSearchAPI
package import InstantSearchJSON

extension IndexSettings {
  /// Rejects an object of settings that would take long to read.
  package static func check(sizeOf members: JSONNode, _ cancellation: CancellationCheck) throws {
    // Repeated names count too, because every lookup skips them.
    let limit = names.count + ParameterLimits.maximumUnknownCount
    guard members.count <= limit else {
      throw APIError("Too many settings: expected at most \(limit), got \(members.count)")
    }
    var values = ValueCount(of: "settings", cancellation)
    for member in members.currentMembers {
      try cancellation.count()
      let (name, value) = (member.key, member.value)
      if let entry = entry(named: name) {
        // Settings that accept any JSON have a separate limit.
        if entry.setAnyValue == nil { try values.add(value, of: entry.name) }
      } else {
        try values.add(
          unknown: value, named: name, size: name.utf8.count + value.sourceRange.count)
      }
    }
  }

  /// Returns the settings changed by the members of an object. `null` resets a setting to its
  /// default. A former name counts if the current one has no value.
  ///
  /// Check the size of the object before, and the resulting values after.
  package func updated(by node: JSONNode, _ cancellation: CancellationCheck) throws -> IndexSettings
  {
    let given: IndexSettings
    do {
      given = try JSONValueDecoder().decode(GivenSettings.self, from: node).settings
    } catch {
      throw APIError("Invalid settings: \(SearchError(decodingFailure: error).message)")
    }
    var settings = self
    for member in node.members where !member.isSuperseded {
      try cancellation.count()
      let entry = Self.entry(named: member.key)
      if let entry, entry.setAnyValue == nil {
        entry.copy(given, &settings)
        continue
      }
      // `JSON` has a `nil` literal, so the absence of a value is written out.
      let value: JSON? = member.value.isNull ? Optional.none : try cancellation.json(member.value)
      if let setAnyValue = entry?.setAnyValue {
        setAnyValue(value, &settings)
      } else {
        settings.additionalSettings[member.key] = value
      }
    }
    return settings
  }
}

/// The settings of an object except settings that accept any JSON. A member that is absent or
/// `null` has its default.
///
/// Any JSON may be long, and is read separately.
private struct GivenSettings: Decodable {
  var settings = IndexSettings()

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: IndexSettingEntry.Name.self)
    for entry in IndexSettings.entries where entry.setAnyValue == nil {
      try entry.read(&settings, container)
    }
  }
}

extension IndexSettings {
  /// Adds the settings that have no effect and a value that requests one.
  func noteWithoutEffect(in mistakes: inout Mistakes) throws {
    for name in ContractName.namesWithoutEffect(in: .setting) {
      guard let contract = ContractName.named(name, in: .setting), let value = try value(of: name),
        contract.asksForMore(value)
      else { continue }
      mistakes.note(contract.refusal(as: "setting"))
    }
  }

  /// Adds the settings that would change results if they had an effect.
  func noteReported(in mistakes: inout Mistakes) throws {
    for contract in ContractName.reportedNames(in: .setting) {
      guard let value = try value(of: contract.name), contract.asksForMore(value) else { continue }
      mistakes.note(contract.refusal(as: "setting"))
    }
  }

  /// Returns the value of a setting as JSON, unless it is the default.
  private func value(of name: String) throws -> JSON? {
    guard let entry = Self.entry(named: name) else { return additionalSettings[name] }
    var alone = IndexSettings()
    entry.copy(self, &alone)
    return alone == IndexSettings() ? nil : try JSON(encoding: alone)[name]
  }

  /// Rejects former names among the additional settings. Reading settings replaces them, so code
  /// has added them.
  func checkFormerNames() throws(APIError) {
    for entry in Self.entries {
      guard let formerName = entry.formerName, additionalSettings[formerName] != nil else {
        continue
      }
      throw APIError(
        "Invalid settings: \"\(formerName)\" is called \"\(entry.name)\" now; set that instead")
    }
  }
}

extension Tokenizer {
  /// Creates the tokenizer of an index, for records and queries alike.
  package init(settings: IndexSettings) { self.init(settings: settings, placeholders: []) }

  /// Creates the tokenizer of records with placeholders, or of a query in a language.
  init(
    settings: IndexSettings, placeholders: [Placeholder] = [],
    segmenter: (any WordSegmenter)? = nil, language: Language? = nil
  ) {
    self.init(
      TextForm(
        separatorsToIndex: settings.separatorsToIndex,
        keepDiacriticsOnCharacters: settings.keepDiacriticsOnCharacters,
        customNormalization: settings.customNormalization, placeholders: placeholders,
        language: segmenter == nil ? nil : language ?? settings.indexLanguages.first),
      segmenter: segmenter)
  }
}

extension IndexSettings {
  /// The setting in which a replica names its primary.
  static let primarySetting = "primary"
  /// The former name of that setting, which files of settings contain.
  static let formerPrimarySetting = "master"

  /// The primary of this index, or `nil` if it is not a replica.
  package var primary: String? {
    get { additionalSettings[Self.primarySetting]?.stringValue }
    set { additionalSettings[Self.primarySetting] = newValue.map { .string($0) } }
  }

  /// The names of the replicas, including virtual ones.
  package var replicaNames: [String] {
    replicas.map(Self.indexName(ofReplica:))
  }

  /// Whether an attribute is one of the unretrievable ones, or below one.
  func hides(_ attribute: String) -> Bool {
    unretrievableAttributes.contains(where: attribute.isPath(in:))
  }

  /// Whether the custom ranking orders records by an unretrievable attribute.
  var hidesOrder: Bool {
    !unretrievableAttributes.isEmpty
      && customRanking.contains { SortCriterion($0).map { hides($0.attribute) } ?? false }
  }

  /// The settings that determine the contents of segments. If they change, records are read again.
  private var indexingPart: [[String]] {
    [
      searchableAttributes, attributesForFaceting, customRanking,
      ranking.filter { SortCriterion($0) != nil },
      attributeForDistinct.map { [$0] } ?? [],
      numericAttributesForFiltering ?? [], [separatorsToIndex], [keepDiacriticsOnCharacters],
      indexLanguages.map(\.rawValue), camelCaseAttributes,
      customNormalization.sorted { $0.key < $1.key }.flatMap { [$0, $1] },
    ]
  }

  /// Whether segments built with other settings can be kept.
  func hasSameIndexing(as other: IndexSettings) -> Bool { indexingPart == other.indexingPart }
}
