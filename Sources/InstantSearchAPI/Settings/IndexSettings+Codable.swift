extension IndexSettings: Codable {
  /// Reads settings. A member that is absent or `null` takes its default.
  ///
  /// The former names `attributesToIndex`, `numericAttributesToIndex` and `slaves` set
  /// ``searchableAttributes``, ``numericAttributesForFiltering`` and ``replicas``, unless the
  /// current name has a value too. Other members without a property become ``additionalSettings``.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: IndexSettingEntry.Name.self)
    for entry in Self.entries { try entry.read(&self, container) }
    for name in container.allKeys where Self.entry(named: name.stringValue) == nil {
      additionalSettings[name.stringValue] = try container.decode(JSON.self, forKey: name)
    }
  }

  /// Writes every setting that is not `nil`, defaults included.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: IndexSettingEntry.Name.self)
    for entry in Self.entries { try entry.write(self, &container) }
    for (name, value) in additionalSettings.sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: IndexSettingEntry.Name(name))
    }
  }

  /// Returns the setting with a current or former name, if it has a property.
  package static func entry(named name: String) -> IndexSettingEntry? { entriesByName[name] }

  private static let entriesByName = Dictionary(
    uniqueKeysWithValues: entries.flatMap { entry in entry.names.map { ($0, entry) } })

  /// The current names of the settings that have a property.
  package static let names = Set(entries.map(\.name))

  /// The settings that have a property.
  package static let entries: [IndexSettingEntry] = [
    IndexSettingEntry(
      "searchableAttributes", formerly: "attributesToIndex", \.searchableAttributes),
    IndexSettingEntry("disablePrefixOnAttributes", \.disablePrefixOnAttributes),
    IndexSettingEntry("disableExactOnAttributes", \.disableExactOnAttributes),
    IndexSettingEntry("queryType", \.queryType),
    IndexSettingEntry("removeWordsIfNoResults", \.removeWordsIfNoResults),
    IndexSettingEntry("optionalWords", \.optionalWords),
    IndexSettingEntry("advancedSyntax", \.advancedSyntax),
    IndexSettingEntry("advancedSyntaxFeatures", \.advancedSyntaxFeatures),
    IndexSettingEntry("exactOnSingleWordQuery", \.exactOnSingleWordQuery),
    IndexSettingEntry("alternativesAsExact", \.alternativesAsExact),
    IndexSettingEntry("separatorsToIndex", \.separatorsToIndex),
    IndexSettingEntry("keepDiacriticsOnCharacters", \.keepDiacriticsOnCharacters),
    IndexSettingEntry("ignorePlurals", \.ignorePlurals),
    IndexSettingEntry("removeStopWords", \.removeStopWords),
    IndexSettingEntry("queryLanguages", \.queryLanguages),
    IndexSettingEntry("typoTolerance", \.typoTolerance),
    IndexSettingEntry("minWordSizefor1Typo", \.minWordSizefor1Typo),
    IndexSettingEntry("minWordSizefor2Typos", \.minWordSizefor2Typos),
    IndexSettingEntry("allowTyposOnNumericTokens", \.allowTyposOnNumericTokens),
    IndexSettingEntry("disableTypoToleranceOnWords", \.disableTypoToleranceOnWords),
    IndexSettingEntry("disableTypoToleranceOnAttributes", \.disableTypoToleranceOnAttributes),
    IndexSettingEntry("ranking", \.ranking),
    IndexSettingEntry("customRanking", \.customRanking),
    IndexSettingEntry("minProximity", \.minProximity),
    IndexSettingEntry(
      "attributeCriteriaComputedByMinProximity", \.attributeCriteriaComputedByMinProximity),
    IndexSettingEntry("attributeForDistinct", \.attributeForDistinct),
    IndexSettingEntry("distinct", \.distinct),
    IndexSettingEntry("attributesForFaceting", \.attributesForFaceting),
    IndexSettingEntry(
      "numericAttributesForFiltering", formerly: "numericAttributesToIndex",
      \.numericAttributesForFiltering),
    IndexSettingEntry("maxValuesPerFacet", \.maxValuesPerFacet),
    IndexSettingEntry("sortFacetValuesBy", \.sortFacetValuesBy),
    IndexSettingEntry("maxFacetHits", \.maxFacetHits),
    IndexSettingEntry("hitsPerPage", \.hitsPerPage),
    IndexSettingEntry("paginationLimitedTo", \.paginationLimitedTo),
    IndexSettingEntry("attributesToRetrieve", \.attributesToRetrieve),
    IndexSettingEntry("unretrievableAttributes", \.unretrievableAttributes),
    IndexSettingEntry("attributesToHighlight", \.attributesToHighlight),
    IndexSettingEntry("attributesToSnippet", \.attributesToSnippet),
    IndexSettingEntry("highlightPreTag", \.highlightPreTag),
    IndexSettingEntry("highlightPostTag", \.highlightPostTag),
    IndexSettingEntry("snippetEllipsisText", \.snippetEllipsisText),
    IndexSettingEntry("restrictHighlightAndSnippetArrays", \.restrictHighlightAndSnippetArrays),
    IndexSettingEntry("replaceSynonymsInHighlight", \.replaceSynonymsInHighlight),
    IndexSettingEntry("responseFields", \.responseFields),
    IndexSettingEntry("userData", \.userData),
    IndexSettingEntry("renderingContent", \.renderingContent),
    IndexSettingEntry(replicas: "replicas", formerly: "slaves"),
  ]
}

/// One setting as a member of a JSON object: its name, how it is read and how it is written.
package struct IndexSettingEntry: Sendable {
  /// The name of a setting.
  package struct Name: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    package init?(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
  }

  /// The name on the wire.
  package let name: String
  /// A name that the setting had before, which is read if the current one has no value.
  package let formerName: String?
  /// Reads the member, unless it is absent or `null`.
  package let read: @Sendable (inout IndexSettings, KeyedDecodingContainer<Name>) throws -> Void
  /// Copies the value from other settings.
  package let copy: @Sendable (IndexSettings, inout IndexSettings) -> Void
  /// Sets the value of a setting that accepts any JSON; `nil` for all other settings.
  package let setAnyValue: (@Sendable (JSON?, inout IndexSettings) -> Void)?
  /// Writes the member, unless the value is `nil`.
  let write: @Sendable (IndexSettings, inout KeyedEncodingContainer<Name>) throws -> Void

  /// The names that are read.
  package var names: [String] { [name] + (formerName.map { [$0] } ?? []) }

  /// A setting that always has a value.
  init<Value: Codable & SendableMetatype>(
    _ name: String, formerly formerName: String? = nil,
    _ path: any WritableKeyPath<IndexSettings, Value> & Sendable
  ) {
    self.name = name
    self.formerName = formerName
    setAnyValue = nil
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    let key = Name(name)
    let formerKey = formerName.map(Name.init)
    read = { settings, container in
      if let value = try container.value(Value.self, key, formerKey) {
        settings[keyPath: path] = value
      }
    }
    write = { settings, container in
      try container.encode(settings[keyPath: path], forKey: key)
    }
  }

  /// A setting whose value is optional.
  init<Value: Codable & SendableMetatype>(
    _ name: String, formerly formerName: String? = nil,
    _ path: any WritableKeyPath<IndexSettings, Value?> & Sendable
  ) {
    self.name = name
    self.formerName = formerName
    setAnyValue = nil
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    let key = Name(name)
    let formerKey = formerName.map(Name.init)
    read = { settings, container in
      settings[keyPath: path] = try container.value(Value.self, key, formerKey)
    }
    write = { settings, container in
      try container.encodeIfPresent(settings[keyPath: path], forKey: key)
    }
  }

  /// The replicas. Empty names, and an empty text in place of the list, are ignored.
  init(replicas name: String, formerly formerName: String) {
    self.name = name
    self.formerName = formerName
    setAnyValue = nil
    copy = { $1.replicas = $0.replicas }
    let (key, formerKey) = (Name(name), Name(formerName))
    read = { settings, container in
      if let list = try container.value(ReplicaList.self, key, formerKey) {
        settings.replicas = list.names
      }
    }
    write = { settings, container in try container.encode(settings.replicas, forKey: key) }
  }

  /// A setting that accepts any JSON. The compiler prefers this initializer to the generic one.
  init(_ name: String, _ path: any WritableKeyPath<IndexSettings, JSON?> & Sendable) {
    self.name = name
    formerName = nil
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    setAnyValue = { $1[keyPath: path] = $0 }
    let key = Name(name)
    read = { settings, container in
      settings[keyPath: path] = try container.decodeIfPresent(JSON.self, forKey: key)
    }
    write = { settings, container in
      try container.encodeIfPresent(settings[keyPath: path], forKey: key)
    }
  }
}

extension KeyedDecodingContainer<IndexSettingEntry.Name> {
  /// Reads the value of a key, or else of its former name.
  fileprivate func value<Value: Decodable>(
    _ type: Value.Type, _ key: Key, _ formerKey: Key?
  ) throws -> Value? {
    if let value = try decodeIfPresent(type, forKey: key) { return value }
    return try formerKey.flatMap { try decodeIfPresent(type, forKey: $0) }
  }
}
