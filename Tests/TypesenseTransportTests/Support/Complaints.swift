import InstantSearchAPI

/// What users of the official JavaScript adapter report, as searches:
/// typesense-instantsearch-adapter, by the number of the issue there, and typesense, by the number
/// of the issue with `ts`.
enum Complaints {
  /// The calls before the searches.
  static let preparation: [Step] = [
    Step(
      method: .put, path: ["indexes", "products", "settings"],
      body: [
        "searchableAttributes": ["name", "brand", "parts.name"],
        "attributesForFaceting": [
          "brand", "categories.lvl0", "categories.lvl1", "color", "size", "price",
        ],
        "customRanking": ["desc(rank)"], "attributeForDistinct": "model",
        "replicas": ["products/sort/price:asc"],
      ]),
    Step(
      method: .put, path: ["indexes", "products/sort/price:asc", "settings"],
      body: [
        "ranking": [
          "asc(price)", "typo", "geo", "words", "filters", "proximity", "attribute", "exact",
          "custom",
        ]
      ]),
    Step(
      method: .post, path: ["indexes", "products", "batch"],
      body: [
        "requests": .array(records.map { ["action": "addObject", "body": $0] })
      ]),
  ]

  private static let records: [JSON] = [
    [
      "objectID": "1", "name": "Apple phone", "brand": "Apple", "color": "red:dark", "price": 999.5,
      "size": 5, "model": "a", "rank": 9,
      "categories": ["lvl0": "Phones", "lvl1": "Phones > Smart"],
      "parts": [["name": "screen of glass"], ["name": "Apple chip"]],
      "_geoloc": ["lat": 89.5, "lng": 0],
    ],
    [
      "objectID": "2", "name": "Apple tablet", "brand": "Apple", "color": "blue", "price": 800,
      "size": 10, "model": "a", "rank": 8, "categories": ["lvl0": "Tablets"],
      "_geoloc": ["lat": 60, "lng": 45],
    ],
    [
      "objectID": "3", "name": "Café chair", "brand": "Sam & Sons, Ltd.", "color": "C++",
      "price": 12,
      "model": "b", "rank": 7, "categories": ["lvl0": "Chairs", "lvl1": "Chairs > Café"],
      "_geoloc": ["lat": 61, "lng": 50],
    ],
    [
      "objectID": "4", "name": "Plain chair", "brand": "none", "color": "C#", "price": 50,
      "model": "c", "rank": 6, "_geoloc": ["lat": 10, "lng": 179],
    ],
    ["objectID": "5", "name": "Apple tree", "brand": "Nature", "price": 100, "rank": 5],
  ]

  /// The complaint, and the search that shows it.
  static let searches: [(complaint: String, query: JSON)] = [
    ("82: OR across attributes", ["facetFilters": [["brand:Apple", "color:C#"]]]),
    (
      "82: OR within an attribute, and AND",
      ["facetFilters": [["color:blue", "color:C#"], "brand:Apple"]]
    ),
    ("165: filters", ["filters": "(brand:Apple OR brand:Nature) AND NOT color:blue"]),
    ("17: less, greater and not equal", ["numericFilters": ["price > 12", "price < 900"]]),
    ("17: not equal", ["numericFilters": ["price != 800"]]),
    ("17: OR of ranges", ["numericFilters": [["price < 20", "price > 900"]]]),
    ("20: a colon in a value", ["facetFilters": ["color:red:dark"]]),
    ("a comma and an ampersand in a value", ["facetFilters": ["brand:Sam & Sons, Ltd."]]),
    ("punctuation in a value", ["facetFilters": ["color:C++"]]),
    ("129: all facets", ["facets": ["*"]]),
    ("129: a facet that is not declared", ["facets": ["brand", "nothing"]]),
    (
      "176: a level that few records have",
      ["facets": ["categories.lvl0", "categories.lvl1", "categories.lvl2"]]
    ),
    ("176: a filter by a missing level", ["facetFilters": ["categories.lvl2:x"]]),
    ("68: negative facets", ["facetFilters": ["brand:-Apple"]]),
    ("77: counts of groups", ["distinct": true, "facets": ["brand"]]),
    ("213, ts1970: groups of all records", ["distinct": true, "hitsPerPage": 2, "page": 1]),
    (
      "184: tags in grouped hits",
      ["query": "apple", "distinct": true, "highlightPreTag": "[", "highlightPostTag": "]"]
    ),
    ("144: nested highlights", ["query": "chip"]),
    ("partial matches", ["query": "apple chip"]),
    ("the words of the query", ["query": "cafe ch"]),
    (
      "an attribute without a match",
      ["query": "tree", "attributesToHighlight": ["name", "price"]]
    ),
    ("ts1432: numbers as facets", ["facets": ["price", "size"]]),
    ("a box on the map", ["insideBoundingBox": "55,0,62,90"]),
    ("a box across 180 degrees", ["insideBoundingBox": "0,170,20,190"]),
    ("hits of 0 per page", ["hitsPerPage": 0, "facets": ["brand"]]),
    ("an offset", ["offset": 1, "length": 3]),
    ("punctuation only", ["query": "!!!"]),
    ("a minus and a quote in a query", ["query": "-apple \"chair"]),
    ("999.5 stays", ["filters": "price = 999.5"]),
  ]

  /// All calls: each search, then a sort order by the name of an index.
  static let steps: [Step] =
    preparation
    + searches.map { Step(method: .post, path: ["indexes", "products", "query"], body: $0.query) }
    + [
      Step(
        method: .post, path: ["indexes", "products/sort/price:asc", "query"],
        body: ["query": "apple"])
    ]
}
