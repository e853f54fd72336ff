import TypesenseTransport

/// Random numbers that are the same in every run.
struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Whether something with a probability in percent happens.
  mutating func percent(_ probability: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < probability
  }

  mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &self)]
  }

  /// A number below a limit, small ones more often.
  mutating func small(below limit: Int) -> Int {
    let share = Double.random(in: 0..<1, using: &self)
    return min(limit - 1, Int(Double(limit) * share * share * share))
  }
}

/// A catalogue of products with words, values and numbers of every kind.
struct Catalogue: Sendable {
  let settings: JSON = [
    "searchableAttributes": ["name", "brand,maker.name", "description", "tags"],
    "attributesForFaceting": [
      "searchable(brand)", "categories.lvl0", "categories.lvl1", "color", "filterOnly(size)",
      "price", "isNew", "sizes", "maker.country",
    ],
    "customRanking": ["desc(popularity)", "asc(price)"],
    "attributeForDistinct": "group",
    "paginationLimitedTo": 20_000,
  ]
  let words: [String]
  let brands: [String]
  let colors = [
    "red", "Red", "RED", "blue-green", "blue green", "C++", "C#", "`", "a,b", "[x]", "x && y",
    "x||y",
    "é", "ß", "日本", "Ω", "-dash", "*", "", ":=", "5", "5.0", "true",
  ]
  let countries = ["France", "Germany", "Côte d'Ivoire", "日本", "United States"]
  let records: [JSON]

  init(count: Int, seed: UInt64) {
    var dice = Dice(seed: seed)
    let parts = [
      "ba", "co", "di", "fu", "ge", "hi", "jo", "ka", "lu", "mi", "no", "pe", "ra", "so", "tu",
      "va",
      "wi", "xe", "yo", "zu",
    ]
    var words: Set<String> = []
    while words.count < 3000 {
      words.insert(
        (0..<Int.random(in: 1...4, using: &dice)).map { _ in dice.one(of: parts) }.joined())
    }
    let special = [
      "wi-fi", "hello.world", "C++", "C#", "o'neil", "übergröße", "naïve", "МОСКВА", "日本語",
      "U.S.A.",
      "4k", "1080p", "256GB", "ﬁsh", "foo_bar", "a/b", "100%", "e-mail", "ÅNGSTRÖM",
    ]
    self.words = words.sorted().shuffled(using: &dice) + special
    brands = (0..<60).map { _ in dice.one(of: parts).uppercased() + dice.one(of: parts) }
    var records: [JSON] = []
    for number in 0..<count {
      records.append(Self.record(number, self.words, brands, colors, countries, &dice))
    }
    self.records = records
  }

  private static func record(
    _ number: Int, _ words: [String], _ brands: [String], _ colors: [String],
    _ countries: [String], _ dice: inout Dice
  ) -> JSON {
    func text(_ range: ClosedRange<Int>) -> String {
      (0..<Int.random(in: range, using: &dice)).map { _ in words[dice.small(below: words.count)] }
        .joined(separator: " ")
    }
    let top = "Top \(dice.small(below: 8))"
    let price = Double(Int.random(in: 0..<100_000, using: &dice)) / 100
    var record: [String: JSON] = [
      "objectID": .string(dice.percent(5) ? "odd/\(number) `&&`" : "\(number)"),
      "name": .string(text(2...6)),
      "popularity": .int(Int64(number)),
      "categories": [
        "lvl0": .string(top), "lvl1": .string("\(top) > Sub \(dice.small(below: 20))"),
      ],
      "group": .string("g\(number / 3)"),
    ]
    if dice.percent(90) { record["brand"] = .string(brands[dice.small(below: brands.count)]) }
    if dice.percent(80) { record["description"] = .string(text(5...30)) }
    if dice.percent(70) { record["color"] = .string(dice.one(of: colors)) }
    if dice.percent(95) { record["price"] = dice.percent(50) ? .double(price) : .int(Int64(price)) }
    if dice.percent(50) { record["isNew"] = .bool(dice.percent(30)) }
    if dice.percent(30) {
      record["maker"] = [
        "name": .string(text(1...2)), "country": .string(dice.one(of: countries)),
      ]
    }
    if dice.percent(40) {
      record["sizes"] = .array(
        (0..<Int.random(in: 1...4, using: &dice)).map { _ in
          .int(Int64.random(in: 30...50, using: &dice))
        })
    }
    if dice.percent(30) { record["size"] = .int(Int64.random(in: 1...9, using: &dice)) }
    if dice.percent(30) { record["_tags"] = .array([.string(dice.one(of: colors)), "T"]) }
    if dice.percent(20) {
      record["tags"] = .array((0..<2).map { _ in .string(text(1...2)) })
    }
    if dice.percent(60) {
      record["_geoloc"] = [
        "lat": .double(Double.random(in: -80...80, using: &dice)),
        "lng": .double(Double.random(in: -180...180, using: &dice)),
      ]
    }
    return .object(record)
  }
}

extension Catalogue {
  /// A filter as an element of a list or in the filter language.
  private func literal(_ dice: inout Dice, isText: Bool) -> (text: String, kind: Int) {
    let facets: [(String, [String])] = [
      ("brand", brands), ("color", colors.filter { !$0.isEmpty }), ("isNew", ["true", "false"]),
      ("categories.lvl0", (0..<9).map { "Top \($0)" }), ("size", (0..<10).map(String.init)),
      ("sizes", (29..<52).map(String.init)), ("maker.country", countries),
      ("price", ["10", "10.0", "99.5"]), ("unknown", ["x"]), ("objectID", ["5", "17", "no"]),
    ]
    let numbers = ["price", "size", "sizes", "popularity", "unknown"]
    if dice.percent(60) {
      let (attribute, values) = dice.one(of: facets)
      let value = dice.one(of: values)
      if !isText {
        let isNegated = dice.percent(25)
        let sign = value.hasPrefix("-") && !isNegated ? "\\" : isNegated ? "-" : ""
        return ("\(attribute):\(sign)\(value)", 0)
      }
      let quoted = value.contains("\"") ? "'\(value)'" : "\"\(value)\""
      return ((dice.percent(25) ? "NOT " : "") + "\(attribute):\(quoted)", 0)
    }
    let attribute = dice.one(of: numbers)
    let limit = attribute == "popularity" ? 20_000 : attribute == "price" ? 1000 : 55
    let number = Int.random(in: -1...limit, using: &dice)
    let negation = isText && dice.percent(25) ? "NOT " : ""
    if dice.percent(35) {
      let other = number + Int.random(in: 0...max(1, limit / 4), using: &dice)
      return (negation + "\(attribute):\(number) TO \(other)", 1)
    }
    let comparison = dice.one(of: ["<", "<=", "=", "!=", ">=", ">"])
    return (negation + "\(attribute) \(comparison) \(number)", 1)
  }

  /// Random filters as parameters of a query.
  private func addFilters(to query: inout [String: JSON], _ dice: inout Dice) {
    if dice.percent(60) {
      let groups = (0..<Int.random(in: 1...3, using: &dice)).map { _ in
        var kind: Int?
        var literals: [String] = []
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
          let (text, own) = literal(&dice, isText: true)
          if kind == nil || kind == own { literals.append(text) }
          kind = kind ?? own
        }
        return "(" + literals.joined(separator: " OR ") + ")"
      }
      query["filters"] = .string(groups.joined(separator: " AND "))
    }
    if dice.percent(25) {
      query["facetFilters"] = .array(
        (0..<2).map { _ in
          .array(
            (0..<2).compactMap { _ in
              let (text, kind) = literal(&dice, isText: false)
              return kind == 0 ? .string(text) : nil
            })
        })
    }
    if dice.percent(15) {
      query["tagFilters"] =
        dice.percent(50) ? ["T", .string("-" + dice.one(of: colors))] : [["T", "red"]]
    }
  }

  /// A random query without typos and removed words.
  func exactQuery(_ dice: inout Dice) -> JSON {
    var query: [String: JSON] = [
      "hitsPerPage": 1000, "attributesToRetrieve": ["objectID"], "typoTolerance": false,
      "attributesToHighlight": [], "maxValuesPerFacet": .int(dice.percent(80) ? 10 : 1000),
    ]
    if dice.percent(60) {
      var text = (0..<Int.random(in: 1...3, using: &dice)).map { _ in
        words[dice.small(below: words.count)]
      }
      if dice.percent(50), let last = text.popLast() {
        text.append(String(last.prefix(Int.random(in: 1...max(1, last.count), using: &dice))))
      }
      query["query"] = .string(text.joined(separator: " "))
      if dice.percent(15) {
        query["advancedSyntax"] = true
        let word = words[dice.small(below: words.count)]
        query["query"] = .string(
          dice.percent(50)
            ? "\"\(text.joined(separator: " "))\"" : text.joined(separator: " ") + " -\(word)")
      }
      if dice.percent(20) { query["queryType"] = "prefixNone" }
      if dice.percent(10) { query["restrictSearchableAttributes"] = ["name"] }
    }
    if dice.percent(70) { addFilters(to: &query, &dice) }
    if dice.percent(60) {
      query["facets"] = dice.percent(50) ? ["*"] : ["brand", "price", "sizes", "none"]
    }
    if dice.percent(15) { query["sortFacetValuesBy"] = "alpha" }
    if dice.percent(10) {
      let (south, west) = (
        Double.random(in: -80...60, using: &dice), Double.random(in: -180...100, using: &dice)
      )
      query["insideBoundingBox"] = [
        [
          .double(south), .double(west), .double(south + Double.random(in: 1...30, using: &dice)),
          .double(west + Double.random(in: 1...200, using: &dice)),
        ]
      ]
    }
    if dice.percent(10) {
      query["hitsPerPage"] = .int(Int64.random(in: 1...300, using: &dice))
      query["page"] = .int(Int64.random(in: 0...4, using: &dice))
    }
    return .object(query)
  }

  /// A random query of which a word can have a typo.
  func queryWithTypos(_ dice: inout Dice) -> JSON {
    var text = (0..<Int.random(in: 1...2, using: &dice)).map { _ in
      words[dice.small(below: words.count)]
    }
    let index = text.indices.last ?? 0
    var letters = Array(text[index])
    if letters.count > 3, dice.percent(70) {
      let place = Int.random(in: 0..<letters.count - 1, using: &dice)
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: letters.remove(at: place)
      case 1: letters.insert("z", at: place)
      case 2: letters[place] = "z"
      default: letters.swapAt(place, place + 1)
      }
    }
    text[index] = String(letters)
    return [
      "query": .string(text.joined(separator: " ")), "hitsPerPage": 1000,
      "attributesToRetrieve": ["objectID"], "attributesToHighlight": [],
    ]
  }
}
