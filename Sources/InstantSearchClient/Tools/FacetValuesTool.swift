extension SearchTool {
  /// The tool that lists values of facets.
  static func facetValuesTool(of indices: [Index], client: SearchClient) -> SearchTool {
    let indices = indices.filter { !$0.facets.isEmpty }
    let facets = indices.flatMap(\.facets).reduce(into: [String]()) { all, name in
      if !all.contains(name) { all.append(name) }
    }
    return SearchTool(
      name: facetValuesName, title: "Search for facet values",
      description: "Lists values of a facet with their numbers of records. Use it before you filter"
        + " by a value that you do not know. Facets: "
        + indices.map { "\($0.name) has \($0.facets.joined(separator: ", "))" }
        .joined(separator: "; ") + ".",
      inputs: [
        ToolSchema.Property(
          name: "indexName",
          schema: ToolSchema.text("The index.", of: indices.map(\.name)), isRequired: true),
        ToolSchema.Property(
          name: "facetName", schema: ToolSchema.text("The facet.", of: facets), isRequired: true),
        ToolSchema.Property(
          name: "facetQuery",
          schema: ToolSchema.text(
            "The beginning of a word of the values. Empty for the most frequent values.",
            maximumLength: ToolArguments.maximumTextLength, default: "")),
        ToolSchema.Property(
          name: "maxFacetHits",
          schema: ToolSchema.integer("The number of values.", 1...100, default: 10)),
      ],
      outputs: [
        ToolSchema.Property(
          name: "facetHits",
          schema: ToolSchema.list(
            "The values, most frequent first.",
            of: ToolSchema.object([
              ToolSchema.Property(
                name: "value", schema: ToolSchema.text("The value."), isRequired: true),
              ToolSchema.Property(
                name: "count", schema: ToolSchema.integer("Its number of records."),
                isRequired: true),
            ])), isRequired: true)
      ]
    ) { arguments, options in
      let index = try arguments.index(of: indices)
      let facet = index.facets[try arguments.requiredChoice("facetName", of: index.facets)]
      let text = try arguments.text("facetQuery") ?? ""
      let count = try arguments.integer("maxFacetHits", in: 1...100) ?? 10
      let values = try await values(of: facet, text, count, of: index, client: client, options)
      var budget = ByteBudget(maximumByteCount)
      let hits: [JSON] = values.map {
        ["value": .string($0.value.cut(to: 500) ?? $0.value), "count": .int(Int64($0.count))]
      }
      return ["facetHits": .array(hits.filter { budget.takes($0) })]
    }
  }

  /// Returns the values of a facet that match a text.
  private static func values(
    of facet: String, _ text: String, _ count: Int, of index: Index, client: SearchClient,
    _ options: RequestOptions
  ) async throws -> [FacetValue] {
    if index.searchableFacets.contains(facet) {
      let page = try await client.searchFacetValues(
        of: facet, matching: text, in: index.name, context: index.context, maxFacetHits: count,
        options: options)
      return page.facetHits.map { FacetValue(value: $0.value, count: $0.count) }
    }
    // The values of other facets cannot be searched, but counted.
    var query = index.makeQuery()
    query.hitsPerPage = 0
    query.facets = [facet]
    query.maxValuesPerFacet = 1_000
    query.sortFacetValuesBy = .count
    let page = try await client.search(
      index.name, query, of: Hit<JSON>.self, options: options)
    let values = page.facets[facet]?.values ?? []
    let matching = text.isEmpty ? values : values.filter { $0.value.hasWord(beginningWith: text) }
    return Array(matching.prefix(count))
  }
}

extension String {
  /// Whether the text, from the beginning of one of its words on, begins with another text, without
  /// regard to case.
  fileprivate func hasWord(beginningWith text: String) -> Bool {
    let (own, other) = (lowercased(), text.lowercased())
    var isStart = true
    for index in own.indices {
      let isWord = own[index].isLetter || own[index].isNumber
      if isWord, isStart, own[index...].hasPrefix(other) { return true }
      isStart = !isWord
    }
    return false
  }
}
