extension ResolvedSearch {
  /// Returns the mistakes of the settings and of the search.
  func mistakes(in snapshot: IndexSnapshot, _ cancellation: CancellationCheck) throws -> Mistakes {
    var mistakes = try snapshot.mistakes(cancellation)
    try noteMistakes(in: snapshot, isBesideSettings: true, cancellation, into: &mistakes)
    return mistakes
  }

  /// Returns the mistakes of the search itself, without mistakes in the settings.
  func ownMistakes(in snapshot: IndexSnapshot, _ cancellation: CancellationCheck) throws -> Mistakes
  {
    var mistakes = Mistakes()
    try noteMistakes(in: snapshot, isBesideSettings: false, cancellation, into: &mistakes)
    return mistakes
  }

  /// Adds the parameters of the search that have no effect.
  private func noteMistakes(
    in snapshot: IndexSnapshot, isBesideSettings: Bool, _ cancellation: CancellationCheck,
    into mistakes: inout Mistakes
  ) throws {
    var names = Array(query.additionalParameters.keys)
    try cancellation.sort(&names, length: { $0.utf8.count }, by: <)
    for name in names {
      mistakes.note(
        "Unknown parameter: " + name
          + NearestName.hint(for: name, among: SearchParameter.names.sorted()))
    }
    for contract in ContractName.reportedNames(in: .parameter) {
      guard let parameter = SearchParameter.named(contract.name),
        let value = query.json(of: parameter), contract.asksForMore(value)
      else { continue }
      mistakes.note(contract.refusal(as: "parameter"))
    }
    noteRules(snapshot, in: &mistakes)
    noteLanguages(snapshot.dictionaries, in: &mistakes)
    try noteAttributes(
      snapshot, isBesideSettings: isBesideSettings, cancellation, in: &mistakes)
    guard query.facets?.isEmpty == false || !filters.isEmpty else { return }
    try cancellation.count(1 + settings.attributesForFaceting.count)
    let declarations = Declarations(self)
    try noteFacets(snapshot, declarations, cancellation, in: &mistakes)
    var seen: Set<FilterSubject> = []
    for expression in filters.required + filters.optional {
      try noteFilters(expression, snapshot, declarations, cancellation, &seen, in: &mistakes)
    }
  }

  /// Adds stored rules, unless the search does not ask for them.
  private func noteRules(_ snapshot: IndexSnapshot, in mistakes: inout Mistakes) {
    let count = snapshot.entries.entries(.rules).count
    if count > 0, query.enableRules != false {
      mistakes.note("The stored rules (\(count)) have no effect in this engine")
    }
  }

  /// The declarations of the settings, read once for all filters of a search.
  private struct Declarations {
    let facets: [String]
    let facetNames: Set<String>
    let numbers: [String: NumericDeclaration]?

    init(_ search: ResolvedSearch) {
      facets = FacetDeclaration.all(in: search.settings).map(\.attribute)
      facetNames = Set(facets)
      numbers = search.numbers
    }
  }

  private func noteFacets(
    _ snapshot: IndexSnapshot, _ declarations: Declarations, _ cancellation: CancellationCheck,
    in mistakes: inout Mistakes
  ) throws {
    guard let names = query.facets, !names.contains("*") else { return }
    let counted = Set(facets.map(\.attribute))
    var seen: Set<String> = []
    for name in names where seen.insert(name).inserted {
      try cancellation.count(1 + snapshot.segmentCount)
      if counted.contains(name) {
        guard snapshot.recordCount > 0, try !snapshot.hasFacetValues(name, cancellation) else {
          continue
        }
        try mistakes.note(
          "facets: no record has a value of \"\(name)\"" + snapshot.hint(for: name, cancellation))
        continue
      }
      if declarations.facetNames.contains(name) {
        mistakes.note("facets: \"\(name)\" is filterOnly in attributesForFaceting")
      } else {
        mistakes.note(
          "facets: \"\(name)\" is not in attributesForFaceting"
            + NearestName.hint(for: name, among: declarations.facets))
      }
    }
  }

  /// The attribute and kind of a filter, without its value.
  private enum FilterSubject: Hashable {
    case facet(String)
    case numeric(String)
    case range(String)
    case tag
  }

  private func noteFilters(
    _ expression: FilterTree, _ snapshot: IndexSnapshot, _ declarations: Declarations,
    _ cancellation: CancellationCheck, _ seen: inout Set<FilterSubject>, in mistakes: inout Mistakes
  ) throws {
    switch expression {
    case .all(let parts), .any(let parts):
      for part in parts {
        try noteFilters(part, snapshot, declarations, cancellation, &seen, in: &mistakes)
      }
    case .literal(let literal):
      let seenBefore = seen.count
      switch literal.predicate {
      case .facet("objectID", _): break
      case .facet(let name, _):
        if seen.insert(.facet(name)).inserted {
          try noteFacetFilter(name, snapshot, declarations, cancellation, in: &mistakes)
        }
      case .numeric(let name, let comparison, _):
        if comparison != .equal, comparison != .notEqual, seen.insert(.range(name)).inserted {
          noteRange(name, declarations, in: &mistakes)
        }
        if seen.insert(.numeric(name)).inserted {
          noteNumericFilter(name, snapshot, declarations, in: &mistakes)
        }
      case .range(let name, let lower, let upper):
        if lower > upper {
          mistakes.note(
            "Filters by ranges of \"\(name)\" find nothing: \(lower) is greater than \(upper)")
        }
        if seen.insert(.range(name)).inserted { noteRange(name, declarations, in: &mistakes) }
        if seen.insert(.numeric(name)).inserted {
          noteNumericFilter(name, snapshot, declarations, in: &mistakes)
        }
      case .tag(let tag):
        if seen.insert(.tag).inserted {
          try noteTagFilter(tag, snapshot, cancellation, in: &mistakes)
        }
      }
      // A new subject was looked up in every segment.
      try cancellation.count(seen.count > seenBefore ? 1 + snapshot.segmentCount : 0)
    }
  }

  private func noteFacetFilter(
    _ name: String, _ snapshot: IndexSnapshot, _ declarations: Declarations,
    _ cancellation: CancellationCheck, in mistakes: inout Mistakes
  ) throws {
    if try snapshot.hasFacetValues(name, cancellation) { return }
    if !declarations.facetNames.contains(name) {
      mistakes.note(
        "Filters by \"\(name)\" find nothing: it is not in attributesForFaceting"
          + (name.hasPrefix("!")
            ? "; write NOT \(name.dropFirst())"
            : NearestName.hint(for: name, among: declarations.facets)))
    } else if snapshot.recordCount > 0 {
      try mistakes.note(
        "Filters by \"\(name)\" find nothing: no record has a value of it"
          + snapshot.hint(for: name, cancellation))
    }
  }

  private func noteNumericFilter(
    _ name: String, _ snapshot: IndexSnapshot, _ declarations: Declarations,
    in mistakes: inout Mistakes
  ) {
    func hasNumbers(_ name: String) -> Bool {
      snapshot.segments.contains { $0.hasNumbers(name) }
    }
    guard snapshot.recordCount > 0, !hasNumbers(name) else { return }
    if let declared = declarations.numbers, declared[name] == nil {
      mistakes.note(
        "Filters by numbers of \"\(name)\" find nothing:"
          + " it is not in numericAttributesForFiltering"
          + NearestName.hint(for: name, among: declared.keys.sorted()))
    } else {
      let names = Set(snapshot.segments.lazy.flatMap { $0.segment.attributes.numericNames })
      mistakes.note(
        "Filters by numbers of \"\(name)\" find nothing: no record has a number there"
          + NearestName.hint(for: name, among: names.sorted()) {
            !snapshot.settings.hides($0) && hasNumbers($0)
          })
    }
  }

  private func noteRange(
    _ name: String, _ declarations: Declarations, in mistakes: inout Mistakes
  ) {
    guard declarations.numbers?[name]?.isEqualOnly == true else { return }
    mistakes.note(
      "Filters by ranges of \"\(name)\" find nothing:"
        + " it is equalOnly in numericAttributesForFiltering")
  }

  private func noteTagFilter(
    _ tag: String, _ snapshot: IndexSnapshot, _ cancellation: CancellationCheck,
    in mistakes: inout Mistakes
  ) throws {
    guard snapshot.recordCount > 0,
      try !snapshot.segments.contains(where: { try $0.hasTags(cancellation) })
    else { return }
    mistakes.note(
      "The filter \"\(tag)\" is for a tag, and no record has _tags;"
        + " a filter by an attribute is written attribute:value")
  }
}

extension ResolvedSearch {
  /// Adds parameters of the query with attributes that have no effect.
  ///
  /// - Parameter isBesideSettings: Whether the mistakes of the settings are reported too. Then
  ///   mistakes that the query repeats are reported once.
  func noteAttributes(
    _ snapshot: IndexSnapshot, isBesideSettings: Bool, _ cancellation: CancellationCheck,
    in mistakes: inout Mistakes
  ) throws {
    try noteRestriction(snapshot, cancellation, in: &mistakes)
    let lists = [
      ("attributesToRetrieve", query.attributesToRetrieve),
      ("attributesToHighlight", query.attributesToHighlight),
    ]
    try noteSnippets(snapshot, cancellation, in: &mistakes)
    for (name, paths) in lists {
      guard let paths, !paths.contains("*") else { continue }
      for path in paths {
        try cancellation.count(1 + snapshot.segmentCount)
        try snapshot.noteMissing(path, of: name, cancellation, in: &mistakes)
      }
    }
    if let ranking = query.ranking {
      let noted = isBesideSettings ? Set(settings.ranking) : []
      try snapshot.noteCriteria(
        ranking.filter { !noted.contains($0) }, of: "ranking", cancellation, in: &mistakes)
    }
    let isKnown = isBesideSettings && settings.lacksAttribute(for: settings.distinct)
    if let distinct = query.distinct, !isKnown {
      settings.noteDistinct(distinct, in: &mistakes)
    }
  }

  private func noteSnippets(
    _ snapshot: IndexSnapshot, _ cancellation: CancellationCheck, in mistakes: inout Mistakes
  ) throws {
    for entry in query.attributesToSnippet ?? [] {
      let path = SnippetEntry(entry).path
      if path == "*" { continue }
      try cancellation.count(1 + snapshot.segmentCount)
      try snapshot.noteMissing(path, of: "attributesToSnippet", cancellation, in: &mistakes)
    }
  }

  private func noteRestriction(
    _ snapshot: IndexSnapshot, _ cancellation: CancellationCheck, in mistakes: inout Mistakes
  ) throws {
    guard let paths = query.restrictSearchableAttributes, !paths.isEmpty else { return }
    let searched = try snapshot.lists(cancellation).searchable
    for path in paths where path != "*" {
      try cancellation.count(1 + snapshot.segmentCount)
      if try !searched.mayContain(path, cancellation) {
        mistakes.note(
          "restrictSearchableAttributes: \"\(path)\" is not searched"
            + NearestName.hint(for: path, among: searched.paths))
      } else if try snapshot.sharesField(path, cancellation) {
        mistakes.note(
          "restrictSearchableAttributes: \"\(path)\" is beyond the \(Occurrence.maximumField)"
            + " attributes with words that can be told apart, so nothing is found in it")
      } else {
        try snapshot.noteMissing(
          path, of: "restrictSearchableAttributes", cancellation, in: &mistakes)
      }
    }
  }
}

/// The mistakes of a search that are errors, as configured.
struct MistakePolicy: Sendable {
  /// Whether unknown parameters are errors.
  var rejectsUnknown: Bool
  /// Whether parameters that have no effect in this engine are errors.
  var rejectsIgnored: Bool
  /// Whether parameters without an effect on the records are errors.
  var rejectsMistakes: Bool

  /// Rejects unknown parameters and parameters without effect, if configured.
  func checkParameters(
    _ query: SearchQuery, of use: ContractName.Use = .parameter
  ) throws(APIError) {
    guard rejectsUnknown || rejectsMistakes else { return }
    let names = ContractName.names(in: use)
    if let name = query.parameterNames.first(where: { !names.contains($0) }) {
      let hint = NearestName.hint(for: name, among: names.sorted())
      throw APIError("Unknown parameter: \(name)\(hint)")
    }
    guard rejectsIgnored else { return }
    for name in ContractName.namesWithoutEffect(in: use) {
      guard let parameter = SearchParameter.named(name), let value = query.json(of: parameter),
        let entry = ContractName.named(name, in: use), entry.asksForMore(value)
      else { continue }
      throw APIError(entry.refusal(as: "parameter"))
    }
  }

  /// Returns the mistakes of a search, or rejects it because of them if configured.
  func mistakes(
    of search: ResolvedSearch, in snapshot: IndexSnapshot, _ cancellation: CancellationCheck
  ) throws -> Mistakes {
    try checkParameters(search.query)
    let mistakes = try search.mistakes(in: snapshot, cancellation)
    if rejectsMistakes, let message = mistakes.message { throw APIError(message) }
    return mistakes
  }

  /// Rejects a search because of its mistakes, if configured. Mistakes in the settings alone do not
  /// count.
  ///
  /// Use this for calls whose responses have no `message`.
  func rejectMistakes(
    of search: ResolvedSearch, in snapshot: IndexSnapshot, _ cancellation: CancellationCheck
  ) throws {
    try checkParameters(search.query)
    guard rejectsMistakes else { return }
    let mistakes = try search.ownMistakes(in: snapshot, cancellation)
    if let message = mistakes.message { throw APIError(message) }
  }
}

extension EngineConfiguration {
  /// The mistakes of a search that are errors.
  var mistakePolicy: MistakePolicy {
    MistakePolicy(
      rejectsUnknown: accepts != .everything, rejectsIgnored: accepts == .honored,
      rejectsMistakes: rejectsMistakes)
  }
}
