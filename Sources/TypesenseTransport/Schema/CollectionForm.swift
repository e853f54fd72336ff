import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// What the documents of a collection hold, beside the records: everything that the settings of an
/// index and of its replicas, which share the collection, need.
struct CollectionForm: Sendable, Hashable {
  /// The searchable attributes as listed, sorted.
  let texts: [String]
  /// Whether every text is searched as well, because some settings list no attributes.
  let hasAllTexts: Bool
  /// The facets, sorted.
  let facets: [String]
  /// The attributes for numeric filters, sorted; `nil` for all.
  let numbers: [String]?
  /// The attributes by which records are ranked, sorted.
  let rankings: [String]
  /// The criteria that rank together, sorted by their fields.
  let orders: [OrderKey]
  /// The attributes that form groups, sorted.
  let groups: [String]
  /// The settings that determine the words of texts.
  private let words: [String: JSON]

  /// The settings that determine the words of texts.
  private static let wordSettings = ["customNormalization"]

  /// Creates the form of an index with its replicas.
  ///
  /// - Parameter settings: The settings of the index, then the ones of its replicas.
  /// - Throws: `APIError` if two of them divide texts into words in different ways.
  init(_ settings: [IndexSettings]) throws {
    var texts: Set<String> = []
    var facets: Set<String> = []
    var numbers: Set<String>? = []
    var rankings: Set<String> = []
    var orders: Set<OrderKey> = []
    var groups: Set<String> = []
    var hasAllTexts = false
    for settings in settings {
      let searchable = try SearchableAttributes(
        settings.searchableAttributes, CancellationCheck())
      texts.formUnion(searchable.paths)
      if searchable.isEmpty { hasAllTexts = true }
      facets.formUnion(FacetDeclaration.all(in: settings).map(\.attribute))
      let declared = NumericDeclaration.all(in: settings)
      numbers = declared.flatMap { declared in numbers.map { $0.union(declared.keys) } }
      rankings.formUnion(
        (settings.ranking + settings.customRanking).compactMap { SortCriterion($0)?.attribute })
      orders.formUnion(try OrderKey.all(in: settings))
      if let attribute = settings.attributeForDistinct { groups.insert(attribute) }
    }
    self.texts = texts.sorted()
    self.hasAllTexts = hasAllTexts
    self.facets = facets.sorted()
    self.numbers = numbers?.sorted()
    self.rankings = rankings.sorted()
    self.orders = orders.sorted { $0.field < $1.field }
    self.groups = groups.sorted()
    let words = try settings.map(Self.words)
    self.words = words.first ?? [:]
    guard words.allSatisfy({ $0 == words.first }) else {
      throw APIError(
        "An index and its replicas share a collection, so \(Self.wordSettings.joined(separator: " and "))"
          + " must be the same in all of them")
    }
  }

  private static func words(of settings: IndexSettings) throws -> [String: JSON] {
    let json = try JSON(encoding: settings)
    return wordSettings.reduce(into: [:]) { $0[$1] = json[$1] }
  }

  /// Whether documents of this form have all that another form needs.
  func covers(_ other: CollectionForm) -> Bool {
    words == other.words && (hasAllTexts || !other.hasAllTexts)
      && Set(texts).isSuperset(of: other.texts) && Set(facets).isSuperset(of: other.facets)
      && (numbers.map { own in
        other.numbers.map { Set(own).isSuperset(of: $0) } ?? false
      } ?? true)
      && Set(rankings).isSuperset(of: other.rankings) && Set(groups).isSuperset(of: other.groups)
      && Set(orders).isSuperset(of: other.orders)
  }

  /// The settings by which the engine reads a record for this form.
  ///
  /// - Parameter group: The attribute that forms groups.
  private func settings(searching texts: [String], group: String?) -> IndexSettings {
    var settings = IndexSettings()
    settings.searchableAttributes = texts
    settings.attributesForFaceting = facets
    settings.numericAttributesForFiltering = numbers
    settings.customRanking = rankings.map { "asc(\($0))" }
    settings.attributeForDistinct = group
    settings.additionalSettings["customNormalization"] = words["customNormalization"]
    return settings
  }

  /// The schema of a collection of this form.
  func schema(named name: String) -> JSON {
    func field(
      _ name: String, _ type: String, facet: Bool = false, sort: Bool? = nil, index: Bool = true
    ) -> JSON {
      var field: [String: JSON] = [
        "name": .string(name), "type": .string(type), "optional": true, "facet": .bool(facet),
        "index": .bool(index),
      ]
      if let sort { field["sort"] = .bool(sort) }
      return .object(field)
    }
    var fields = [
      field(FieldName.record, "string", index: false),
      field(FieldName.codes, "string[]"),
      field(FieldName.points, "geopoint[]"),
      ["name": .string(FieldName.order), "type": "int64"],
      field(FieldName.numberPrefix + ".*", "int64[]"),
    ]
    if hasAllTexts { fields.append(field(FieldName.allTexts, "string[]")) }
    fields += texts.map { field(FieldName.text($0), "string[]") }
    for facet in facets {
      fields.append(field(FieldName.facet(facet), "string[]", facet: true))
      fields.append(field(FieldName.statistics(facet), "int64[]", facet: true))
    }
    for ranking in rankings {
      fields.append(field(FieldName.ranking(ranking), "int64"))
      fields.append(field(FieldName.textRanking(ranking), "string", sort: true))
    }
    fields += orders.map { field($0.field, "string", sort: true) }
    fields += groups.map { field(FieldName.group($0), "string", facet: true) }
    return ["name": .string(name), "fields": .array(fields)]
  }

  /// The documents of records.
  struct Documents: Sendable {
    /// The documents, one a line.
    var lines: [UInt8] = []
    /// The attributes of the ranking that have texts in them.
    var textRankings: Set<String> = []
  }

  /// Returns the documents of records.
  func documents(
    of records: [EncodedRecord], _ cancellation: CancellationCheck
  ) throws -> Documents {
    let listed = try IndexedRecord.all(
      in: records, settings: settings(searching: texts, group: groups.first), cancellation)
    // An empty list means every text.
    let isAllListed = texts.isEmpty
    let all =
      hasAllTexts && !isAllListed
      ? try IndexedRecord.all(
        in: records, settings: settings(searching: [], group: nil), cancellation) : listed
    let otherGroups = try groups.dropFirst().map { attribute in
      try IndexedRecord.all(
        in: records, settings: settings(searching: texts, group: attribute), cancellation
      ).map(\.group)
    }
    var documents = Documents()
    for index in records.indices {
      try cancellation.count(bytes: records[index].bytes.count)
      var document = DocumentWriter(listed[index])
      document.writeValues(facets: facets, orders: orders)
      if hasAllTexts { document.write(all[index].texts, to: FieldName.allTexts) }
      if !isAllListed {
        for path in texts {
          document.write(
            listed[index].texts.filter { $0.path.isPath(in: path) }, to: FieldName.text(path))
        }
      }
      for (number, attribute) in groups.enumerated() {
        let group = number == 0 ? listed[index].group : otherGroups[number - 1][index]
        document.write(group: group, of: attribute)
      }
      documents.lines += document.finished()
      documents.lines.append(UInt8(ascii: "\n"))
      for case (let attribute, .text) in listed[index].rankings {
        documents.textRankings.insert(attribute)
      }
    }
    return documents
  }
}
