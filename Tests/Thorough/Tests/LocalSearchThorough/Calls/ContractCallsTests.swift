@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// The tables of calls and of members of responses say what the engine does.
struct ContractCallsTests {
  // MARK: Calls

  /// The kinds of calls, with those of synonyms, keys and so on as separate ones.
  private enum Kind: Hashable, CaseIterable {
    case search, multiQuery, facetValues, browse, recommendations, places, reversePlaces, place
    case getObjects, getObject, saveObject, replaceObject, partialUpdate, deleteObject, batch
    case multiBatch, deleteBy, clear, listIndices, deleteIndex, operation, settings, setSettings
    case task, appTask, logs, events, deleteUser
    case getSynonym, saveSynonym, deleteSynonym, saveSynonyms, clearSynonyms, searchSynonyms
    case getRule, saveRule, deleteRule, saveRules, clearRules, searchRules
    case listKeys, addKey, getKey, updateKey, deleteKey, restoreKey
    case writeDictionary, searchDictionary, dictionarySettings, setDictionarySettings, languages
    case listSources, replaceSources, addSource, deleteSource

    /// The compiler rejects this for a call that is missing here.
    init?(_ endpoint: Endpoint) {
      switch endpoint {
      case .search: self = .search
      case .multiQuery: self = .multiQuery
      case .facetValues: self = .facetValues
      case .browse: self = .browse
      case .recommendations: self = .recommendations
      case .places: self = .places
      case .reversePlaces: self = .reversePlaces
      case .place: self = .place
      case .getObjects: self = .getObjects
      case .getObject: self = .getObject
      case .saveObject: self = .saveObject
      case .replaceObject: self = .replaceObject
      case .partialUpdate: self = .partialUpdate
      case .deleteObject: self = .deleteObject
      case .batch: self = .batch
      case .multiBatch: self = .multiBatch
      case .deleteBy: self = .deleteBy
      case .clear: self = .clear
      case .listIndices: self = .listIndices
      case .deleteIndex: self = .deleteIndex
      case .operation: self = .operation
      case .settings: self = .settings
      case .setSettings: self = .setSettings
      case .task: self = .task
      case .appTask: self = .appTask
      case .synonyms(_, let entries):
        self = Self.kind(
          entries, .getSynonym, .saveSynonym, .deleteSynonym, .saveSynonyms, .clearSynonyms,
          .searchSynonyms)
      case .rules(_, let entries):
        self = Self.kind(
          entries, .getRule, .saveRule, .deleteRule, .saveRules, .clearRules, .searchRules)
      case .keys(let keys):
        switch keys {
        case .list: self = .listKeys
        case .add: self = .addKey
        case .get: self = .getKey
        case .update: self = .updateKey
        case .delete: self = .deleteKey
        case .restore: self = .restoreKey
        }
      case .dictionaries(let dictionaries):
        switch dictionaries {
        case .batch: self = .writeDictionary
        case .search: self = .searchDictionary
        case .settings: self = .dictionarySettings
        case .setSettings: self = .setDictionarySettings
        case .languages: self = .languages
        }
      case .sources(let sources):
        switch sources {
        case .list: self = .listSources
        case .replace: self = .replaceSources
        case .append: self = .addSource
        case .delete: self = .deleteSource
        }
      case .logs: self = .logs
      case .events: self = .events
      case .deleteUser: self = .deleteUser
      case .custom: return nil
      }
    }

    private static func kind(
      _ entries: Endpoint.Entries, _ get: Kind, _ save: Kind, _ delete: Kind, _ batch: Kind,
      _ clear: Kind, _ search: Kind
    ) -> Kind {
      switch entries {
      case .get: get
      case .save: save
      case .delete: delete
      case .batch: batch
      case .clear: clear
      case .search: search
      }
    }
  }

  @Test func everyCallIsInTheTableOnce() {
    let kinds = ContractCall.all.compactMap { Kind($0.endpoint) }
    expectEqual(kinds.count, ContractCall.all.count)
    #expect(Set(kinds) == Set(Kind.allCases) && kinds.count == Kind.allCases.count)
    for call in ContractCall.all {
      // The path of the article is the path of the call.
      expectEqual(Endpoint(call.endpoint.method, call.endpoint.pathComponents), call.endpoint)
    }
  }

  /// A call that is refused has a status of its own, and no other call has it.
  @Test(arguments: ContractCall.all.indices)
  func refusedCallsHaveTheirStatus(number: Int) async throws {
    let call = ContractCall.all[number]
    let engine = LocalSearch()
    let response = try await engine.send(TransportRequest(call.endpoint, body: Array("{}".utf8)))
    expectEqual(response.status == 402, call.state == .refused, "\(call.endpoint)")
    #expect(response.status != 405 && response.status != 500, "\(call.endpoint)")
  }

  // MARK: Members

  private static func names(_ owner: ContractMember.Owner) -> Set<String> {
    Set(ContractMember.all.filter { $0.owner == owner && $0.isReturned }.map(\.name))
  }

  /// The responses that have every member together.
  private func responses() async throws -> [JSON] {
    let records = (0..<3).map { number -> JSON in
      [
        "objectID": .string("\(number)"), "text": "red phone", "group": "a", "n": .int(1),
        "_geoloc": ["lat": 1, "lng": .int(Int64(number))],
      ]
    }
    let fixture = try await EngineFixture(
      records,
      settings: IndexSettings {
        $0.attributesForFaceting = ["n"]
        $0.attributeForDistinct = "group"
        $0.userData = ["a": 1]
      })
    var responses: [JSON] = []
    for query in [
      ["query": "red", "facets": ["n"], "getRankingInfo": true, "clickAnalytics": true],
      ["query": "red blue", "removeWordsIfNoResults": "lastWords", "facets": ["none"]],
      ["aroundLatLng": "1,1", "getRankingInfo": true, "attributesToSnippet": ["text"]],
      ["offset": 0, "length": 1, "distinct": true],
      ["query": "red", "explain": ["match.alternatives"]],
    ] as [JSON] {
      responses.append(try await fixture.search(query))
    }
    let browse = try await fixture.call(
      .post, [EngineFixture.index, "browse"], ["hitsPerPage": 1])
    let index = JSON.string(EngineFixture.index)
    let several = try await fixture.call(
      .post, ["*", "queries"],
      [
        "requests": [["indexName": index, "hitsPerPage": 1], ["indexName": index]],
        "strategy": "stopIfEnoughMatches",
      ])
    return responses + [browse.body] + (several.body["results"]?.arrayValue ?? [])
  }

  @Test func theMembersOfResponsesAreThoseOfTheTable() async throws {
    let responses = try await responses()
    expectEqual(Self.members(of: responses), Self.names(.response))
    let hits = responses.flatMap { $0["hits"]?.arrayValue ?? [] }
    let members = Self.members(of: hits).subtracting(["text", "group", "n", "_geoloc"])
    expectEqual(members, Self.names(.hit))
    let infos = hits.compactMap { $0["_rankingInfo"] }
    expectEqual(Self.members(of: infos), Self.names(.rankingInfo))
  }

  private static func members(of objects: [JSON]) -> Set<String> {
    Set(objects.flatMap { ($0.objectValue ?? [:]).keys })
  }

  @Test func theTableHasEveryMemberOnce() {
    for owner in ContractMember.Owner.allCases {
      let names = ContractMember.all.filter { $0.owner == owner }.map(\.name)
      #expect(names == names.sorted() && Set(names).count == names.count)
    }
    let all = Set(ContractMember.all.filter { $0.owner == .response }.map(\.name))
    #expect(all.isSuperset(of: SearchQuery.excludableResponseFields))
  }
}
