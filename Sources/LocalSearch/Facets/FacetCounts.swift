/// The counts of one facet over all segments, as in the response.
struct FacetCounts: Sendable, Hashable {
  /// A value and its number of records.
  struct Entry: Sendable, Hashable {
    /// The displayed value.
    var text: String
    /// The number of records.
    var count: Int
  }

  /// The statistics of the numbers among the values, weighted by their counts.
  struct Statistics: Sendable, Hashable {
    var minimum: Double
    var maximum: Double
    var sum: Double
    var count: Int

    /// The mean.
    var average: Double { sum / Double(count) }

    /// Creates statistics that another back end has made.
    init(minimum: Double, maximum: Double, sum: Double, count: Int) {
      (self.minimum, self.maximum, self.sum, self.count) = (minimum, maximum, sum, count)
    }

    /// Adds the numbers in ascending order, so that the sum does not depend on their segments.
    /// Returns `nil` without numbers.
    init?(
      _ tallies: [(column: FacetColumn, tally: FacetTally)], _ cancellation: CancellationCheck
    ) throws {
      var numbers: [(number: Double, count: Int)] = []
      for (column, tally) in tallies {
        for (value, count) in zip(tally.values, tally.counts) {
          try cancellation.count()
          if let number = column.values[value].number { numbers.append((number, count)) }
        }
      }
      try cancellation.sort(&numbers) { $0.number < $1.number }
      guard let first = numbers.first, let last = numbers.last else { return nil }
      (minimum, maximum, sum, count) = (first.number, last.number, 0, 0)
      // Counts of equal numbers are added first, because these sums are exact.
      var pending = 0
      for (index, entry) in numbers.enumerated() {
        try cancellation.count(element: index)
        pending += entry.count
        let isLast = index + 1 == numbers.count || numbers[index + 1].number != entry.number
        guard isLast else { continue }
        sum += entry.number * Double(pending)
        count += pending
        pending = 0
      }
    }
  }

  /// The returned values, in order.
  var entries: [Entry]
  /// The statistics, or `nil` if no value is a number.
  var statistics: Statistics?

  /// The values and documents to count in one segment.
  struct Source {
    /// The values.
    var column: FacetColumn
    /// The documents to count.
    var documents: FacetDocuments
    /// The only values to count, or `nil` for all.
    var values: Bitmap?

    fileprivate func tally(_ cancellation: CancellationCheck) throws -> FacetTally {
      if let values {
        try FacetTally(column, values: values, in: documents, cancellation)
      } else {
        try FacetTally(column, in: documents, cancellation)
      }
    }
  }

  /// Counts a facet, and keeps the first values of an order. Equal counts are ordered by text.
  init(
    _ sources: [Source], limit: Int, order: SortFacetValuesBy, _ cancellation: CancellationCheck
  ) throws {
    entries = []
    let tallies = try sources.map { ($0.column, try $0.tally(cancellation)) }
    statistics = try Statistics(tallies, cancellation)
    let nonEmpty = tallies.filter { !$0.1.values.isEmpty }
    if nonEmpty.count == 1, !nonEmpty[0].0.hasAmbiguousTexts {
      let (column, tally) = nonEmpty[0]
      entries = try Self.kept(tally.counts, limit, order, cancellation).map { index in
        Entry(text: column.values[tally.values[index]].text, count: tally.counts[index])
      }
    } else {
      let merged = try Self.merged(nonEmpty, cancellation)
      entries = try Self.kept(merged.map(\.count), limit, order, cancellation).map { merged[$0] }
    }
  }

  /// Returns the indices of the values to keep, in order. Indices are in the order of the text.
  private static func kept(
    _ counts: [Int], _ limit: Int, _ order: SortFacetValuesBy, _ cancellation: CancellationCheck
  ) throws -> [Int] {
    guard limit > 0 else { return [] }
    if order == .alphabetical { return Array(counts.indices.prefix(limit)) }
    // The complement of the count and then the index, so that numbers are compared.
    var best: [UInt64] = []
    var threshold = 0
    // Sorting a buffer of twice the limit whenever it is full costs O(n log limit) in total.
    for index in counts.indices {
      try cancellation.count(element: index)
      if counts[index] <= threshold { continue }
      best.append(UInt64(UInt32.max - UInt32(clamping: counts[index])) << 32 | UInt64(index))
      if best.count >= max(2 * limit, 256) {
        try cancellation.sort(&best)
        best.removeSubrange(limit...)
        threshold = best.last.map { counts[Int($0 & 0xFFFF_FFFF)] } ?? 0
      }
    }
    try cancellation.sort(&best)
    return best.prefix(limit).map { Int($0 & 0xFFFF_FFFF) }
  }

  /// Returns the values of all segments in the order of their text, with the sums of their counts.
  /// Of equal texts in different Unicode forms the shortest is displayed.
  private static func merged(
    _ tallies: [(FacetColumn, FacetTally)], _ cancellation: CancellationCheck
  ) throws -> [Entry] {
    var lists = try tallies.map { column, tally in
      var list: [Entry] = []
      for (value, count) in zip(tally.values, tally.counts) {
        let text = column.values[value].text
        try cancellation.count(bytes: text.utf8.count)
        // A column has values that count as one in adjacent order, the displayed one first.
        if let last = list.indices.last, list[last].text == text {
          list[last].count += count
        } else {
          list.append(Entry(text: text, count: count))
        }
      }
      return list
    }
    while lists.count > 1 {
      var next: [[Entry]] = []
      for index in stride(from: 0, to: lists.count, by: 2) {
        next.append(
          index + 1 < lists.count
            ? try merge(lists[index], lists[index + 1], cancellation) : lists[index])
      }
      lists = next
    }
    return lists.first ?? []
  }

  private static func merge(
    _ left: [Entry], _ right: [Entry], _ cancellation: CancellationCheck
  ) throws -> [Entry] {
    var result: [Entry] = []
    result.reserveCapacity(left.count + right.count)
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      try cancellation.count(bytes: min(left[i].text.utf8.count, right[j].text.utf8.count))
      if left[i].text == right[j].text {
        let isRight = FacetColumn.Value.isShown(right[j].text, before: left[i].text)
        let text = isRight ? right[j].text : left[i].text
        result.append(Entry(text: text, count: left[i].count + right[j].count))
        i += 1
        j += 1
      } else if left[i].text < right[j].text {
        result.append(left[i])
        i += 1
      } else {
        result.append(right[j])
        j += 1
      }
    }
    return result + left[i...] + right[j...]
  }
}

/// A facet to count.
struct FacetCountRequest: Sendable, Hashable {
  /// The attribute.
  var attribute: String
  /// Whether it is counted after grouping.
  var isAfterDistinct: Bool

  /// Returns the facets of a query. `*` means all declared ones. Facets that are not declared, or
  /// whose values are not returned, are skipped.
  static func all(_ query: SearchQuery, settings: IndexSettings) -> [FacetCountRequest] {
    guard let names = query.facets, !names.isEmpty else { return [] }
    let declared = FacetDeclaration.all(in: settings)
      .filter { !$0.isFilterOnly && !settings.hides($0.attribute) }
    let wanted: [FacetDeclaration]
    if names.contains("*") {
      wanted = declared
    } else {
      var open = Dictionary(declared.map { ($0.attribute, $0) }, uniquingKeysWith: { $1 })
      wanted = names.compactMap { open.removeValue(forKey: $0) }
    }
    // With these two modes the kept records are known only after ranking, so grouping comes later.
    let isIgnored =
      switch query.typoTolerance ?? settings.typoTolerance {
      case .min, .strict: true
      case .enabled: false
      }
    return wanted.map { declaration in
      let isAfter = query.facetingAfterDistinct ?? declaration.isAfterDistinct
      return FacetCountRequest(
        attribute: declaration.attribute, isAfterDistinct: isAfter && !isIgnored)
    }
  }
}
