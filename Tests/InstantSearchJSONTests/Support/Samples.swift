/// Texts that several suites use.
enum Samples {
  /// A search response with every kind of value, escapes and characters of one to four bytes.
  static let searchResponse = #"""
    {
      "hits": [
        {
          "objectID": "5477500", "name": "Caf\u00e9 \"Zürich\" \\ 東京 \ud83d\ude00😀",
          "price": 899.99, "stock": -12, "rating": 4.5e0, "big": 18446744073709551615,
          "onSale": true, "discontinued": false, "image": null,
          "tags": ["a", "b\n", ""], "_geoloc": {"lat": 47.3769, "lng": 8.5417},
          "_highlightResult": {
            "name": {"value": "<em>Caf\u00e9</em>", "matchLevel": "full", "matchedWords": ["cafe"]}
          }
        },
        {}
      ],
      "nbHits": 2, "page": 0, "nbPages": 1, "hitsPerPage": 20, "processingTimeMS": 1,
      "exhaustive": {"nbHits": true, "typo": true},
      "facets": {"brand": {"Apple \/ Co": 442, "Ünïted": 1E2}},
      "query": "", "params": "query=&page=0"
    }
    """#
}
