import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

struct PlaceTests {
  private static let oneLanguage = """
    {"_highlightResult":{"locale_names":[{"value":"<em>Gen</em>ève","matchLevel":"full",\
    "fullyHighlighted":false,"matchedWords":["gen"]}]},"_geoloc":{"lat":46.2,"lng":6.14},\
    "_tags":["city","country/ch","place/city"],"admin_level":8,"administrative":["Genève"],\
    "city":["Genève"],"country":"Suisse","country_code":"ch","county":["District de Genève"],\
    "district":"Genève","importance":16,"is_city":true,"is_country":false,"is_highway":false,\
    "is_popular":true,"is_suburb":false,"locale_names":["Genève","Geneva"],"objectID":"7",\
    "population":203840,"postcode":["1200","1201"],"suburb":["Plainpalais"],"village":[]}
    """

  private static let allLanguages = """
    {"_tags":["highway","address"],"city":{"de":["Genf"],"default":["Genève"]},\
    "country":{"de":"Schweiz","default":"Suisse"},"county":{"default":["Genève"]},\
    "locale_names":{"default":["Quai Wilson"]},"objectID":"8","population":203840}
    """

  // MARK: Reading

  @Test(arguments: ModelCoder.allCases)
  func aPlaceInOneLanguageIsRead(coder: ModelCoder) throws {
    let hit = try coder.decode(Hit<Place>.self, Self.oneLanguage)
    expectEqual(hit.objectID, "7")
    expectEqual(hit.geolocation?.first, Point(latitude: 46.2, longitude: 6.14))
    expectEqual(hit.highlighted("locale_names")?.raw, "<em>Gen</em>ève")
    expectEqual(
      hit.object,
      Place(
        localeNames: .single(["Genève", "Geneva"]), city: .single(["Genève"]),
        suburb: ["Plainpalais"], village: [], district: "Genève",
        county: .single(["District de Genève"]), administrative: ["Genève"],
        country: .single("Suisse"), countryCode: "ch", postcode: ["1200", "1201"],
        population: 203_840, importance: 16, adminLevel: 8, isCountry: false, isCity: true,
        isSuburb: false, isHighway: false, isPopular: true,
        tags: ["city", "country/ch", "place/city"]))
    expectEqual(hit.name, "Genève")
    expectEqual(hit.object.name(in: .german), "Genève")
  }

  @Test(arguments: ModelCoder.allCases)
  func aPlaceInAllLanguagesIsRead(coder: ModelCoder) throws {
    let hit = try coder.decode(Hit<Place>.self, Self.allLanguages)
    let city = try #require(hit.city)
    expectEqual(city, .translated(default: ["Genève"], [.german: ["Genf"]]))
    expectEqual(city.value, ["Genève"])
    expectEqual(city.value(in: .german), ["Genf"])
    expectEqual(city.value(in: .japanese), ["Genève"])
    expectEqual(city.languages, [.german])
    expectEqual(hit.country?.value(in: .german), "Schweiz")
    expectEqual(hit.object.name(in: .german), "Quai Wilson")
    #expect(hit.importance == nil)
    #expect(hit.additionalMembers.isEmpty)
  }

  @Test(arguments: ModelCoder.allCases)
  func absentNullAndMistypedMembersAreNil(coder: ModelCoder) throws {
    try expectEqual(coder.decode(Place.self, "{}"), Place())
    let text = """
      {"locale_names":5,"city":{"default":["a"],"de":7},"country":["France"],"population":"many",\
      "postcode":[75001],"_tags":null,"importance":1.5,"iata":"CDG","is_city":1}
      """
    let place = try coder.decode(Place.self, text)
    let misfits: [String: JSON] = [
      "locale_names": 5, "city": ["default": ["a"], "de": 7], "country": ["France"],
      "population": "many", "postcode": [75001], "importance": 1.5, "iata": "CDG", "is_city": 1,
    ]
    expectEqual(place, Place(additionalMembers: misfits))
    #expect(place.name == nil)
    #expect(place.type == nil)
  }

  @Test(arguments: ModelCoder.plain, ["[]", "5", "null", "\"x\""])
  func nonObjectIsAnError(coder: ModelCoder, text: String) {
    #expect(throws: DecodingError.self) { try coder.decode(Place.self, text) }
  }

  // MARK: Writing

  @Test(arguments: ModelCoder.allCases, [oneLanguage, allLanguages])
  func hitIsReadBack(coder: ModelCoder, text: String) throws {
    let hit = try coder.decode(Hit<Place>.self, text)
    try expectEqual(coder.roundTrip(hit), hit)
  }

  @Test(arguments: ModelCoder.verbatim, [oneLanguage, allLanguages])
  func bothFormsAreReadBack(coder: ModelCoder, text: String) throws {
    let place = try coder.decode(Place.self, text)
    let written = try JSON(parsing: Array(coder.encode(place).utf8)).objectValue ?? [:]
    var expected = try JSON(parsing: Array(text.utf8)).objectValue ?? [:]
    for name in ["objectID", "_geoloc", "_highlightResult"] { expected[name] = nil }
    expectEqual(written, expected)
  }

  // MARK: Localized values

  @Test(arguments: ModelCoder.allCases)
  func localizedValuesCanBePartOfAnyRecord(coder: ModelCoder) throws {
    struct Shop: Codable, Hashable {
      var title: Localized<String>
      var tags: Localized<[String]>?
    }
    let single = try coder.decode(Shop.self, #"{"title":"Bread","tags":["a"]}"#)
    expectEqual(single, Shop(title: .single("Bread"), tags: .single(["a"])))
    let several = try coder.decode(Shop.self, #"{"title":{"fr":"Pain","pt-br":"Pão"},"tags":{}}"#)
    expectEqual(several.title, .translated(default: nil, [.french: "Pain", "pt-br": "Pão"]))
    #expect(several.title.value == nil)
    #expect(several.title.value(in: .english) == nil)
    expectEqual(several.title.languages.map(\.rawValue), ["fr", "pt-br"])
    expectEqual(several.tags, .translated(default: nil, [:]))
    for shop in [single, several] { try expectEqual(coder.roundTrip(shop), shop) }
    #expect(throws: DecodingError.self) { try coder.decode(Shop.self, #"{"title":5}"#) }
    #expect(throws: DecodingError.self) { try coder.decode(Shop.self, #"{"title":{"fr":5}}"#) }
  }

  @Test(arguments: ModelCoder.allCases)
  func languageWithoutAValueIsSkipped(coder: ModelCoder) throws {
    let text = """
      {"locale_names":{"default":["Wien"],"en":null},\
      "country":{"de":"Österreich","default":null}}
      """
    let place = try coder.decode(Place.self, text)
    expectEqual(place.localeNames, .translated(default: ["Wien"], [:]))
    expectEqual(place.country, .translated(default: nil, [.german: "Österreich"]))
    #expect(place.additionalMembers.isEmpty)
    let value = try coder.decode([Localized<String>].self, #"[{"default":"Wien","en":null}]"#)
    expectEqual(value, [.translated(default: "Wien", [:])])
  }

  @Test func missingTranslationFallsBackToTheDefaultName() {
    let place = Place(
      localeNames: .translated(default: ["Wien"], [.english: [], .french: ["Vienne"]]))
    expectEqual(place.name(in: .french), "Vienne")
    expectEqual(place.name(in: .english), "Wien")
    expectEqual(place.name(in: .german), "Wien")
  }

  // MARK: Place types

  @Test(
    arguments: [
      (["city", "place/city"], .city), (["country", "city"], .country),
      (["highway", "address"], .address), (["amenity/bus_station", "address"], .busStop),
      (["railway/station"], .trainStation), (["amenity/townhall"], .townhall),
      (["aeroway/terminal"], .airport), (["place/island"], nil), ([], nil),
    ] as [([String], PlaceType?)])
  func tagsDetermineTheType(tags: [String], type: PlaceType?) {
    expectEqual(Place(tags: tags).type, type)
  }
}
