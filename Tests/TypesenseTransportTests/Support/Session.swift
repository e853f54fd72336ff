import InstantSearchAPI

/// One call of a session.
struct Step {
  let method: Endpoint.Method
  let path: [String]
  var queryItems: [QueryItem] = []
  var body: JSON?
  /// Whether the embedded engine gives the same answer.
  var isEqual = true

  var request: TransportRequest {
    TransportRequest(
      method: method, pathComponents: ["1"] + path, queryItems: queryItems,
      body: body.map { Array($0.text.utf8) } ?? [])
  }

  /// The method and path.
  var name: String { "\(method.rawValue) /1/\(path.joined(separator: "/"))" }
}

/// Calls of every kind, one after the other, which begin and end without indices.
enum Session {
  /// The sessions that are recorded, by the names of their files.
  enum Recorded: String, CaseIterable, Sendable {
    case session = "session-0.24.1"
    case complaints = "complaints-0.24.1"
    /// What servers from 30 on have in another form. It has not run on one: the answers are in that
    /// form, and come from 0.24.1.
    case later = "later-30.2-not-run"

    var steps: [Step] {
      switch self {
      case .session: Session.steps
      case .complaints: Complaints.steps
      case .later: Session.later
      }
    }
  }

  private static func index(_ path: String...) -> [String] { ["indexes", "films"] + path }

  private static func post(_ path: [String], _ body: JSON, isEqual: Bool = true) -> Step {
    Step(method: .post, path: path, body: body, isEqual: isEqual)
  }

  private static func search(_ query: JSON, isEqual: Bool = true) -> Step {
    post(index("query"), query, isEqual: isEqual)
  }

  private static func batch(_ requests: JSON..., to name: String = "films") -> Step {
    post(["indexes", name, "batch"], ["requests": .array(requests)])
  }

  private static func add(_ record: JSON) -> JSON { ["action": "updateObject", "body": record] }

  private static let films: [JSON] = [
    [
      "objectID": "1", "title": "The Wild-West", "genres": ["Drama", "Comedy"], "year": 1994,
      "rating": 8.5, "stars": [1, 5, 9], "lang": "en", "_tags": ["Old"],
      "_geoloc": ["lat": 48.85, "lng": 2.35],
    ],
    [
      "objectID": "a/b c", "title": "Hello.World", "genres": ["comedy"], "year": 2001,
      "rating": 7.25, "stars": [3], "lang": "en", "cast": [["name": "Ann Lee"], ["name": "Bo"]],
    ],
    [
      "objectID": "`x`", "title": "Über allen Gipfeln", "genres": ["C++", "C#"], "year": 1999,
      "rating": 9, "stars": [2, 8], "lang": "de", "_geoloc": ["lat": 52.5, "lng": 13.4],
    ],
    [
      "objectID": "..", "title": "МОСКВА слезам не верит", "genres": ["Drama"], "year": 1980,
      "rating": 8.1, "lang": "ru", "_tags": ["old", "Old"],
    ],
    ["objectID": "5", "title": "日本語の映画", "year": 1980, "rating": 6, "lang": "ja", "new": true],
  ]

  private static let settings: JSON = [
    "searchableAttributes": ["title", "cast.name"],
    "attributesForFaceting": ["searchable(genres)", "year", "filterOnly(lang)", "new"],
    "customRanking": ["desc(rating)"], "attributeForDistinct": "lang",
    "attributesToSnippet": ["title:2"],
  ]

  /// The calls.
  static let steps: [Step] =
    [
      search(["query": ""]),
      Step(method: .put, path: index("settings"), body: settings),
      batch(add(films[0]), add(films[1]), add(films[2]), add(films[3]), add(films[4])),
      Step(method: .get, path: index("settings")),
    ] + queries.map { search($0) } + others + writing + words + indices

  private static let later: [Step] = [
    Step(method: .put, path: index("settings"), body: settings),
    batch(add(films[0]), add(films[1]), add(films[2])),
    post(
      index("synonyms", "batch"),
      .array([
        ["objectID": "wild", "type": "synonym", "synonyms": ["wild", "untamed one"]],
        [
          "objectID": "up", "type": "oneWaySynonym", "input": "upwards", "synonyms": ["über"],
        ],
      ])),
    search(["query": "untamed one"]), search(["query": "upwards"]), search(["query": "uber"]),
    search(["query": "untamed one", "synonyms": false]),
    // The number of groups is an estimate there.
    search(["query": "", "distinct": true], isEqual: false),
    // A new collection has a set of its own.
    Step(
      method: .put, path: index("settings"), body: ["attributesForFaceting": ["searchable(genres)"]]
    ),
    search(["query": "upwards"]),
    Step(method: .delete, path: index("synonyms", "up")),
    search(["query": "upwards"]), search(["query": "untamed one"]),
    post(index("synonyms", "clear"), [:]), search(["query": "untamed one"]),
    post(index("synonyms", "search"), ["query": ""]),
    Step(method: .delete, path: ["indexes", "films"]),
  ]

  private static let queries: [JSON] = [
    ["query": ""], ["query": "wild"], ["query": "москва"], ["query": "world"], ["query": "日本"],
    ["query": "uber gip"], ["query": "ann"], ["query": "wild w"], ["query": "nothing"],
    ["query": "-wild", "advancedSyntax": true],
    ["query": "\"hello world\"", "advancedSyntax": true],
    ["params": "query=wild&hitsPerPage=1&facets=%5B%22*%22%5D"],
    ["filters": "genres:\"C++\""], ["filters": "genres:\"C\""],
    ["filters": "year > 1990 AND NOT genres:comedy"], ["numericFilters": ["rating:8 TO 9"]],
    ["filters": "NOT stars:2 TO 4"], ["filters": "stars != 5"], ["filters": "NOT stars < 3"],
    ["filters": "unknown > 3 OR year = 1980"], ["filters": "objectID:\"`x`\""],
    ["facetFilters": [["genres:drama", "genres:-comedy"], "year:1994"]],
    ["tagFilters": ["Old"]], ["filters": "new:true"], ["filters": "lang:en"],
    ["facets": ["*"], "maxValuesPerFacet": 2],
    ["facets": ["genres"], "sortFacetValuesBy": "alpha"], ["facets": ["none"]],
    ["offset": 1, "length": 2], ["page": 1, "hitsPerPage": 2], ["hitsPerPage": 0],
    ["distinct": true, "facets": ["year"]], ["distinct": 2],
    ["aroundLatLng": "48.8,2.3", "aroundRadius": 50_000],
    ["insidePolygon": [[45, 0, 55, 0, 55, 10, 45, 10, 45, 0]]],
    ["insideBoundingBox": "45,170,55,190"], ["insideBoundingBox": "-90,-180,90,180"],
    ["insideBoundingBox": "48.85,2.35,48.85,2.35"], ["insideBoundingBox": "-10,-180,60,180"],
    ["insideBoundingBox": "45,0,55,10"], ["insidePolygon": [[45, 0, 55, 0, 55, 10, 45, 10]]],
    ["attributesToRetrieve": ["title"], "attributesToHighlight": ["*"]],
    ["responseFields": ["hits", "nbHits"]], ["query": "xx", "typoTolerance": false],
    ["restrictSearchableAttributes": ["cast.name"], "query": "bo"],
    ["query": "wild nothing at all", "removeWordsIfNoResults": "lastWords"],
    ["query": "no thing wild", "removeWordsIfNoResults": "firstWords"],
    ["query": "nothing nowhere", "removeWordsIfNoResults": "firstWords"],
    ["query": "the wild", "removeStopWords": ["en"]],
    // What the contract does not allow.
    ["hitsPerPage": 5000], ["filters": "year >"], ["page": -1],
  ]

  private static let others: [Step] = [
    post(
      ["indexes", "*", "queries"],
      [
        "requests": [
          ["indexName": "films", "query": "wild"],
          ["indexName": "films", "facets": ["genres"], "hitsPerPage": 0],
          ["indexName": "films", "type": "facet", "facet": "genres", "facetQuery": "dr"],
        ]
      ]),
    post(["indexes", "*", "queries"], ["requests": []]),
    post(index("facets", "genres", "query"), ["facetQuery": "com"]),
    post(index("facets", "genres", "query"), ["facetQuery": "", "filters": "year < 2000"]),
    post(index("facets", "year", "query"), ["facetQuery": "19"]),
    post(index("browse"), ["hitsPerPage": 3], isEqual: false),
    post(index("browse"), ["filters": "year > 1990"], isEqual: false),
    post(index("browse"), ["hitsPerPage": 0], isEqual: false),
    search(["insidePolygon": [[0, 0, 10, 10, 10, 0, 0, 10]]], isEqual: false),
    search(["insidePolygon": [[0, 0, 1e30, 0, 0, 1]]], isEqual: false),
    post(
      ["indexes", "*", "objects"],
      [
        "requests": [
          ["indexName": "films", "objectID": ".."],
          ["indexName": "films", "objectID": "none"],
          ["indexName": "films", "objectID": "1", "attributesToRetrieve": ["title"]],
        ]
      ]),
    Step(method: .get, path: index("a/b c")),
    Step(
      method: .get, path: index("1"),
      queryItems: [QueryItem(name: "attributesToRetrieve", value: "title,year")]),
    Step(method: .get, path: index("none")),
    Step(method: .get, path: index("task", "1"), isEqual: false),
    // What this cluster cannot do.
    search(["similarQuery": "wild"], isEqual: false),
    search(["getRankingInfo": true], isEqual: false),
    Step(
      method: .put, path: index("settings"), body: ["keepDiacriticsOnCharacters": "é"],
      isEqual: false),
  ]

  private static let writing: [Step] = [
    post(index("1", "partial"), ["year": 1995, "title": "The Wild East"]),
    search(["query": "east"]),
    search(["query": "west"]),
    Step(
      method: .put, path: index("6"),
      body: ["title": "A new film", "genres": "Drama", "year": 2020]),
    search(["query": "new"]),
    Step(method: .delete, path: index("6")),
    search(["query": "new"]),
    batch(
      add(["objectID": "7", "title": "Seven"]),
      ["action": "deleteObject", "body": ["objectID": "5"]],
      ["action": "partialUpdateObject", "body": ["objectID": "7", "year": 1995]],
      ["action": "partialUpdateObjectNoCreate", "body": ["objectID": "8", "year": 1995]]),
    search(["filters": "year = 1995"]),
    search(["query": ""]),
    post(index("deleteByQuery"), ["filters": "year < 1990"]),
    search(["query": ""]),
    batch(add(["objectID": ""])),
    post(index("batch"), ["requests": [["action": "no such", "body": [:]]]]),
  ]

  private static let words: [Step] = [
    Step(
      method: .put, path: index("synonyms", "wild"),
      body: ["objectID": "wild", "type": "synonym", "synonyms": ["wild", "untamed one"]]),
    post(
      index("synonyms", "batch"),
      .array([
        [
          "objectID": "up", "type": "oneWaySynonym", "input": "upwards", "synonyms": ["über"],
        ]
      ])),
    Step(method: .get, path: index("synonyms", "wild")),
    post(index("synonyms", "search"), ["query": "untamed"]),
    search(["query": "untamed one"]),
    search(["query": "upwards"]),
    Step(
      method: .put, path: index("synonyms", "typo"),
      body: ["objectID": "typo", "type": "altCorrection1", "word": "a", "corrections": ["b"]],
      isEqual: false),
    Step(
      method: .put, path: index("rules", "pin"),
      body: [
        "objectID": "pin",
        "conditions": [["pattern": "seven", "anchoring": "contains"]],
        "consequence": [
          "promote": [["objectID": "1", "position": 0]], "hide": [["objectID": "7"]],
        ],
      ]),
    Step(method: .get, path: index("rules", "pin")),
    search(["query": "seven"], isEqual: false),
    search(["query": "seven", "enableRules": false]),
    Step(
      method: .put, path: index("rules", "no"),
      body: ["objectID": "no", "consequence": ["params": ["filters": "year > 1"]]], isEqual: false),
    Step(method: .delete, path: index("rules", "pin")),
    search(["query": "", "aroundLatLng": "48.8,2.3"], isEqual: false),
  ]

  private static let indices: [Step] = [
    // A replica in another order, and new facets.
    Step(
      method: .put, path: index("settings"),
      body: ["replicas": ["films_year"], "attributesForFaceting": ["genres", "lang"]]),
    Step(
      method: .put, path: ["indexes", "films_year", "settings"],
      body: [
        "ranking": [
          "asc(year)", "typo", "geo", "words", "filters", "proximity", "attribute", "exact",
          "custom",
        ]
      ]),
    post(["indexes", "films_year", "query"], ["query": "", "facets": ["*"]]),
    post(["indexes", "films_year", "query"], ["query": "hello"]),
    search(["facets": ["*"]]),
    // The new collection has the synonyms.
    search(["query": "untamed one"]),
    Step(method: .delete, path: index("synonyms", "up")),
    search(["query": "upwards"]),
    Step(method: .get, path: ["indexes"], isEqual: false),
    // Everything is replaced.
    post(
      index("operation"),
      [
        "operation": "copy", "destination": "films_tmp",
        "scope": ["settings", "synonyms", "rules"],
      ]),
    batch(add(["objectID": "9", "title": "Nine", "genres": ["Drama"]]), to: "films_tmp"),
    post(["indexes", "films_tmp", "operation"], ["operation": "move", "destination": "films"]),
    search(["query": "", "facets": ["*"]]),
    post(["indexes", "films_year", "query"], ["query": ""]),
    post(index("operation"), ["operation": "copy", "destination": "films_copy"]),
    post(["indexes", "films_copy", "query"], ["query": "nine"]),
    Step(method: .delete, path: ["indexes", "films_copy"]),
    post(index("clear"), [:]),
    search(["query": ""]),
    batch(
      add(["objectID": "1", "title": "One"]), ["action": "clear"],
      add(["objectID": "2", "title": "Two"]), ["action": "delete"],
      add(["objectID": "3", "title": "Three"])),
    search(["query": ""]),
    Step(
      method: .put, path: index("settings"),
      body: ["replicas": ["films_year"], "attributesForFaceting": ["genres"]]),
    post(["indexes", "films_year", "query"], ["facets": ["*"]]),
    Step(method: .put, path: index("settings"), body: ["replicas": []]),
    Step(method: .delete, path: ["indexes", "films_year"]),
    Step(method: .delete, path: ["indexes", "films"]),
    search(["query": ""]),
  ]

  /// A response without what differs from one run to the next.
  static func comparable(_ response: TransportResponse) -> JSON {
    guard let json = try? JSON(parsing: response.body) else { return .int(Int64(response.status)) }
    // The engine says what has no effect in a response that is no error.
    guard response.status == 200, case .object(var members) = json else { return comparable(json) }
    members["message"] = nil
    return comparable(.object(members))
  }

  private static let changing: Set<String> = [
    "processingTimeMS", "taskID", "updatedAt", "createdAt", "deletedAt",
  ]

  private static func comparable(_ json: JSON) -> JSON {
    switch json {
    case .object(let members):
      .object(members.filter { !changing.contains($0.key) }.mapValues(comparable))
    case .array(let elements): .array(elements.map(comparable))
    default: json
    }
  }
}
