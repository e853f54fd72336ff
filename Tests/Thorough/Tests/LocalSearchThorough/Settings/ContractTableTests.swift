@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// The tables of the contract have every name that the API has, and say what the engine does.
struct ContractTableTests {
  // MARK: Names

  @Test func everyParameterAndSettingIsInTheTable() {
    expectEqual(ContractName.names(in: .parameter), SearchParameter.names)
    let former = IndexSettings.entries.flatMap(\.names)
    let settings = ContractName.names(in: .setting)
    #expect(settings.isSuperset(of: IndexSettings.names.union(former)))
    // What both requests have is one name.
    let both = IndexSettings.names.intersection(SearchParameter.names)
    for name in both { #expect(ContractName.named(name, in: .parameter)?.uses.count ?? 0 > 1) }
    let names = ContractName.all.map(\.name)
    #expect(names == names.sorted() && Set(names).count == names.count)
    for entry in ContractName.all {
      #expect(!entry.uses.isEmpty)
      #expect(entry.state != .withoutEffect || !entry.note.isEmpty, "\(entry.name)")
    }
  }

  /// The settings without a property have no effect, but for the names that the engine reads.
  @Test func settingsWithoutAPropertyHaveNoEffect() {
    let known = Set(IndexSettings.entries.flatMap(\.names)).union([
      "primary", "master", "camelCaseAttributes", "customNormalization", "decompoundQuery",
      "decompoundedAttributes",
    ])
    for name in ContractName.names(in: .setting).subtracting(known) {
      expectEqual(ContractName.named(name, in: .setting)?.state, .withoutEffect, "\(name)")
    }
  }

  private static let records: [JSON] = [
    ["objectID": "1", "title": "red phones", "text": "the phone", "n": 2, "kind": "a"],
    ["objectID": "2", "title": "blue phone", "text": "a red car", "n": 1, "kind": "b"],
  ]
  private static let settings = IndexSettings {
    $0.searchableAttributes = ["title", "text"]
    $0.attributesForFaceting = ["searchable(kind)"]
    $0.customRanking = ["asc(n)"]
  }
  /// A value, of each name without effect, that asks for something.
  private static let values: [String: JSON] = [
    "allowCompressionOfIntegerArray": true, "alternativesAsExact": ["multiWordsSynonym"],
    "analytics": true, "analyticsTags": ["a"], "aroundLatLngViaIP": true,
    "attributesToTransliterate": ["title"], "camelCaseAttributes": ["title"],
    "customNormalization": ["default": ["e": "o"]], "decompoundQuery": true,
    "decompoundedAttributes": ["de": ["title"]], "enableABTest": true,
    "enablePersonalization": true, "enableReRanking": true, "enableRules": true,
    "ignorePlurals": true, "indexLanguages": ["ja"], "mode": "neuralSearch",
    "naturalLanguages": ["en"], "percentileComputation": true, "personalizationImpact": 50,
    "queryLanguages": ["en"], "reRankingApplyFilter": "kind:a", "relevancyStrictness": 0,
    "removeStopWords": true, "replaceSynonymsInHighlight": true, "ruleContexts": ["a"],
    "semanticSearch": ["eventSources": ["a"]], "synonyms": true, "userToken": "someone",
    "version": 3,
  ]

  private static let namesWithoutBrowsing: Set = [
    "enablePersonalization", "enableRules", "ignorePlurals",
  ]
  private static let ignored = ContractName.all.filter { $0.state == .withoutEffect }.map(\.name)

  /// The responses to some searches, without the text of the parameters.
  private func responses(_ fixture: EngineFixture, adding parameters: JSON = [:]) async throws
    -> [JSON]
  {
    var responses: [JSON] = []
    for query in ["", "phone", "phones red", "the", "zzz"] {
      var body: JSON = [
        "query": .string(query), "facets": ["*"], "getRankingInfo": true,
        "optionalFilters": "kind:b",
      ]
      for (name, value) in parameters.objectValue ?? [:] { body[name] = value }
      var response = try await fixture.search(body)
      #expect(response["hits"] != nil, "\(response.text)")
      response["params"] = nil
      // It tells that a name has no effect.
      response["message"] = nil
      responses.append(response)
    }
    return responses
  }

  @Test(arguments: ignored)
  func aNameWithoutEffectChangesNoResponse(name: String) async throws {
    let value = try #require(Self.values[name])
    let fixture = try await EngineFixture(Self.records, settings: Self.settings)
    let expected = try await responses(fixture)
    if ContractName.named(name, in: .parameter) != nil {
      let changed = try await responses(fixture, adding: .object([name: value]))
      expectEqual(changed, expected)
    }
    guard ContractName.named(name, in: .setting) != nil else { return }
    let path = [EngineFixture.index, "settings"]
    try await expectEqual(fixture.call(.put, path, .object([name: value])).status, 200)
    try await fixture.engine.save(Self.records, in: EngineFixture.index)
    try await expectEqual(responses(fixture), expected)
  }

  // MARK: Acceptance

  /// A name without effect is an error in the strict mode only, and only if it asks for something.
  @Test(arguments: ignored)
  func theStrictModeRefusesNamesWithoutEffect(name: String) async throws {
    let value = try #require(Self.values[name])
    for accepts in [.everything, .known, .honored] as [LocalSearch.Configuration.Acceptance] {
      let fixture = try await EngineFixture(
        Self.records, settings: Self.settings, configuration: .init(accepts: accepts))
      func refusal(_ path: [String], _ value: JSON) async throws -> String? {
        let isSetting = path == ["settings"]
        let body: [String: JSON] = isSetting ? [name: value] : [name: value, "filters": "kind:a"]
        let answer = try await fixture.call(
          isSetting ? .put : .post, [EngineFixture.index] + path, .object(body))
        return answer.status == 400 ? answer.body["message"]?.stringValue : nil
      }
      let note = ContractName.all.first { $0.name == name }?.note ?? ""
      let text = "\"\(name)\" has no effect in this engine: \(note)"
      if ContractName.named(name, in: .parameter) != nil {
        let expected = accepts == .honored ? "The parameter " + text : nil
        for path in [["query"], ["browse"], ["facets", "kind", "query"]] {
          let message = try await refusal(path, value)
          // The contract lets browsing ignore some parameters.
          if message == nil, path == ["browse"], Self.namesWithoutBrowsing.contains(name) {
            continue
          }
          expectEqual(message, expected, "\(accepts): \(path)")
        }
      }
      guard ContractName.named(name, in: .setting) != nil else { continue }
      let message = try await refusal(["settings"], value)
      expectEqual(message, accepts == .honored ? "Invalid settings: The setting " + text : nil)
      #expect(try await refusal(["settings"], .null) == nil)
    }
  }

  @Test(
    arguments: [
      ["analytics": false, "clickAnalytics": false], ["synonyms": false, "enableRules": false],
      ["ignorePlurals": false, "removeStopWords": []], ["mode": "keywordSearch"],
      ["alternativesAsExact": ["ignorePlurals", "singleWordSynonym"], "queryLanguages": []],
      ["relevancyStrictness": 100, "personalizationImpact": 0, "ruleContexts": []],
    ] as [JSON])
  func valuesThatAskForNothingAreAccepted(body: JSON) async throws {
    let fixture = try await EngineFixture(
      Self.records, settings: Self.settings, configuration: .init(accepts: .honored))
    #expect(try await fixture.refusal(body) == nil)
    let settings = (body.objectValue ?? [:]).filter {
      ContractName.named($0.key, in: .setting) != nil
    }
    let answer = try await fixture.call(
      .put, [EngineFixture.index, "settings"], .object(settings))
    expectEqual(answer.status, 200, "\(answer.body.text)")
  }

  @Test func theStrictModesRefuseUnknownNames() async throws {
    for accepts in [.known, .honored] as [LocalSearch.Configuration.Acceptance] {
      let fixture = try await EngineFixture(
        Self.records, settings: Self.settings, configuration: .init(accepts: accepts))
      try await expectEqual(
        fixture.refusal(["hitPerPage": 1]),
        "Unknown parameter: hitPerPage; did you mean \"hitsPerPage\"?")
      let answer = try await fixture.call(
        .put, [EngineFixture.index, "settings"], ["custmRanking": []])
      expectEqual(
        answer.body["message"],
        "Invalid settings: There is no setting \"custmRanking\"; did you mean \"customRanking\"?")
      // Mistakes that are no names stay in `message`.
      #expect(try await fixture.search(["facets": ["brnad"]])["message"] != nil)
      // Settings can be read, changed and written back, those of a replica as well.
      try await fixture.engine.setSettings(
        IndexSettings { $0.replicas = ["copy"] }, of: EngineFixture.index)
      for name in [EngineFixture.index, "copy"] {
        let read = try await fixture.call(.get, [name, "settings"]).body
        try await expectEqual(fixture.call(.put, [name, "settings"], read).status, 200)
        try await fixture.engine.setSettings(fixture.engine.settings(of: name), of: name)
      }
    }
  }

  @Test func theStrictModeRefusesRules() async throws {
    let fixture = try await EngineFixture(configuration: .init(accepts: .honored))
    let rule: JSON = ["objectID": "1", "consequence": ["params": ["query": "a"]]]
    let answer = try await fixture.call(.put, [EngineFixture.index, "rules", "1"], rule)
    expectEqual(answer.status, 400)
    #expect(answer.body["message"]?.stringValue?.contains("have no effect in this engine") == true)
  }

  @Test func placesHaveTheirOwnNames() async throws {
    let fixture = try await PlacesFixture(configuration: .init(accepts: .honored))
    #expect(try await fixture.refusal(["query": "lyon", "type": "city"]) == nil)
    try await expectEqual(
      fixture.refusal(["tpye": "city"]),
      "Unknown parameter: tpye; did you mean \"type\"?")
    try await expectEqual(
      fixture.refusal(["aroundLatLngViaIP": true]),
      "The parameter \"aroundLatLngViaIP\" has no effect in this engine:"
        + " the engine does not know an address")
  }
}
