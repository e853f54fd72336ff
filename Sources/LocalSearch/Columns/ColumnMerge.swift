// Columns are merged as columns: no record is parsed again. The result is the same as indexing the
// live records into one segment.

extension AttributeColumns {
  /// The maximum number of attribute names after merges, in which each of few records may have
  /// other attributes.
  private static let maximumNameCount = 16_000

  /// Merges the columns of segments with equal settings into the columns of a segment with `count`
  /// documents.
  ///
  /// - Complexity: O(n log s) for n values in s sources.
  static func merging(
    _ sources: [MergeSource<AttributeColumns>], count: Int, _ cancellation: CancellationCheck
  ) throws -> AttributeColumns {
    func columns<Column>(
      _ name: String, _ column: (AttributeColumns) -> Column?
    ) -> [MergeSource<Column>] {
      sources.compactMap { $0.compactMap(column) }
    }
    func names<Column>(_ columns: (AttributeColumns) -> [String: Column]) -> Set<String> {
      Set(sources.flatMap { columns($0.content).keys })
    }
    var facets: [String: FacetColumn] = [:]
    for name in names(\.facets) {
      facets[name] = try .merging(columns(name) { $0.facets[name] }, count: count, cancellation)
    }
    var numbers: [String: NumericColumn] = [:]
    for name in names(\.numbers) {
      try cancellation.count(bytes: name.utf8.count)
      numbers[name] = try .merging(columns(name) { $0.numbers[name] }, count: count, cancellation)
    }
    var rankings: [String: RankingColumn] = [:]
    for name in names(\.rankings) {
      rankings[name] = try .merging(columns(name) { $0.rankings[name] }, cancellation)
    }
    let distinct = sources.compactMap { $0.compactMap(\.distinct) }
    let (attributes, hasAllNames) = try attributeNames(sources.map(\.content), cancellation)
    return try AttributeColumns(
      count: count, names: attributes, hasAllNames: hasAllNames, facets: facets, numbers: numbers,
      rankings: rankings,
      tags: facets["_tags"] ?? .merging(sources.map { $0.map(\.tags) }, count: count, cancellation),
      distinct: distinct.isEmpty ? nil : .merging(distinct, cancellation),
      geo: .merging(sources.map { $0.map(\.geo) }, count: count, cancellation), cancellation)
  }

  /// Returns the names of all sources. Names without live documents stay: ``SegmentView`` excludes
  /// them.
  private static func attributeNames(
    _ sources: [AttributeColumns], _ cancellation: CancellationCheck
  ) throws -> (names: [String], areAll: Bool) {
    var seen: Set<String> = []
    var names: [String] = []
    for name in sources.flatMap(\.names) {
      try cancellation.count(bytes: name.utf8.count)
      if names.count < maximumNameCount, seen.insert(name).inserted { names.append(name) }
    }
    return (names, sources.allSatisfy(\.hasAllNames) && names.count < maximumNameCount)
  }
}

extension FacetColumn {
  /// Merges columns. Values without remaining documents are removed.
  fileprivate static func merging(
    _ sources: [MergeSource<FacetColumn>], count: Int, _ cancellation: CancellationCheck
  ) throws -> FacetColumn {
    var used = sources.map { Bitmap(count: $0.content.values.count) }
    var (starts, numbers) = ([UInt32](), [UInt32]())
    starts.reserveCapacity(count + 1)
    for (index, source) in sources.enumerated() {
      try source.forEachDocument(cancellation) { old, _ in
        starts.append(UInt32(truncatingIfNeeded: numbers.count))
        for value in source.content.values(of: old) {
          try cancellation.count(element: numbers.count)
          used[index].insert(Int(value))
          numbers.append(value)
        }
      }
    }
    starts.append(UInt32(truncatingIfNeeded: numbers.count))
    let (values, newValues) = try mergedValues(sources.map(\.content), used, cancellation)
    // The new numbers of a document's values ascend as the old ones do.
    var index = 0
    for (source, new) in zip(sources, newValues) {
      try source.forEachDocument(cancellation) { old, _ in
        for value in source.content.values(of: old) {
          try cancellation.count(element: index)
          numbers[index] = new[Int(value)]
          index += 1
        }
      }
    }
    var folded = [String](repeating: "", count: values.count)
    var foldedOrder: [UInt32] = []
    var isListed = Bitmap(count: values.count)
    for (source, (new, used)) in zip(sources, zip(newValues, used)) {
      for value in source.content.foldedOrder where used[Int(value)] {
        try cancellation.count()
        let number = new[Int(value)]
        if isListed[Int(number)] { continue }
        isListed.insert(Int(number))
        folded[Int(number)] = source.content.folded[Int(value)]
        foldedOrder.append(number)
      }
    }
    try sort(&foldedOrder, byFolded: folded, cancellation)
    return try FacetColumn(
      values: values, valueLists: (starts, numbers), folded: folded, foldedOrder: foldedOrder,
      count: count, cancellation)
  }

  /// Returns the used values in order, and for each source the new number of each old value.
  private static func mergedValues(
    _ sources: [FacetColumn], _ used: [Bitmap], _ cancellation: CancellationCheck
  ) throws -> (values: [Value], numbers: [[UInt32]]) {
    var entries: [(value: Value, source: Int, number: Int)] = []
    for (index, source) in sources.enumerated() {
      try used[index].forEach { number in
        try cancellation.count()
        entries.append((source.values[number], index, number))
      }
    }
    // The lists of the sources are sorted already, which the sort benefits from.
    try cancellation.sort(&entries, length: { $0.value.text.utf8.count }) {
      $0.value.precedes($1.value)
    }
    var values: [Value] = []
    var numbers = sources.map { [UInt32](repeating: 0, count: $0.values.count) }
    for entry in entries {
      try cancellation.count(bytes: entry.value.text.utf8.count)
      if values.last?.precedes(entry.value) ?? true { values.append(entry.value) }
      numbers[entry.source][entry.number] = UInt32(truncatingIfNeeded: values.count - 1)
    }
    return (values, numbers)
  }
}

extension NumericColumn {
  /// Merges columns, or returns `nil` if no number remains.
  fileprivate static func merging(
    _ sources: [MergeSource<NumericColumn>], count: Int, _ cancellation: CancellationCheck
  ) throws -> NumericColumn? {
    var pairs: [(number: Double, document: UInt32)] = []
    for source in sources {
      let (numbers, documents) = (source.content.numbers, source.content.documents)
      try cancellation.forEach(numbers.indices) { index in
        let document = source.newDocuments[Int(documents[index])]
        if document != .deleted { pairs.append((numbers[index], document)) }
      }
    }
    return pairs.isEmpty ? nil : try NumericColumn(pairs, count: count, cancellation)
  }
}

extension RankingColumn {
  /// Merges columns.
  fileprivate static func merging(
    _ sources: [MergeSource<RankingColumn>], _ cancellation: CancellationCheck
  ) throws -> RankingColumn {
    var values: [RankingValue] = []
    var numbers: [Double] = []
    let areNumbers = sources.allSatisfy { $0.content.numbers != nil }
    for source in sources {
      let known = source.content.numbers ?? []
      try source.forEachDocument(cancellation) { old, _ in
        if areNumbers { numbers.append(known[old]) } else { values.append(source.content[old]) }
      }
    }
    return areNumbers
      ? RankingColumn(.numbers(numbers)) : try RankingColumn(values, cancellation)
  }
}

extension DistinctColumn {
  /// Merges columns. Values without remaining documents are removed.
  fileprivate static func merging(
    _ sources: [MergeSource<DistinctColumn>], _ cancellation: CancellationCheck
  ) throws -> DistinctColumn {
    var entries: [Entry] = []
    for (index, source) in sources.enumerated() {
      var used = Bitmap(count: source.content.values.count)
      try source.forEachDocument(cancellation) { old, _ in
        if let group = source.content[old] { used.insert(group) }
      }
      try used.forEach { number in
        try cancellation.count()
        entries.append((source.content.values[number], index, number))
      }
    }
    let (values, newNumbers) = try numbered(
      entries, counts: sources.map(\.content.values.count), cancellation)
    var numbers: [Int32] = []
    for (source, new) in zip(sources, newNumbers) {
      try source.forEachDocument(cancellation) { old, _ in
        numbers.append(source.content[old].map { new[$0] } ?? -1)
      }
    }
    return DistinctColumn(values: values, numbers: numbers)
  }
}
