/// The number of documents of a set with each value of a column, without values that no document
/// has.
struct FacetTally: Sendable {
  /// The numbers of the values, in ascending order, which is the order of their text.
  private(set) var values: [Int] = []
  /// The counts, parallel to ``values``.
  private(set) var counts: [Int] = []

  /// Counts the values in a set of documents.
  ///
  /// The work is the least of these: the number of values if the set has all documents, the
  /// documents in the set or outside it, or the documents and bitmap words of all values.
  init(
    _ column: FacetColumn, in documents: FacetDocuments, _ cancellation: CancellationCheck
  ) throws {
    let size = documents.count
    guard size > 0 else { return }
    if size == column.documentCount {
      for value in column.values.indices { append(value, column.count(of: value)) }
    } else if column.countingCostByValue
      < column.meanValueCount * min(size, column.documentCount - size)
    {
      for value in column.values.indices {
        try cancellation.count(4)
        append(value, column.count(of: value, in: documents.set))
      }
    } else if column.meanValueCount * size < column.values.count / 8 {
      countFew(column, documents)
    } else {
      try countByDocument(column, documents, cancellation)
    }
  }

  /// Counts only some of the values.
  init(
    _ column: FacetColumn, values wanted: Bitmap, in documents: FacetDocuments,
    _ cancellation: CancellationCheck
  ) throws {
    if wanted.cardinality > column.values.count / 4 {
      let all = try FacetTally(column, in: documents, cancellation)
      for (value, count) in zip(all.values, all.counts) where wanted[value] { append(value, count) }
    } else {
      try wanted.forEach { value in
        try cancellation.count(4)
        append(value, column.count(of: value, in: documents.set))
      }
    }
  }

  private mutating func append(_ value: Int, _ count: Int) {
    guard count > 0 else { return }
    values.append(value)
    counts.append(count)
  }

  /// Counts a set so small that an array with an entry per value would cost more than counting.
  private mutating func countFew(_ column: FacetColumn, _ documents: FacetDocuments) {
    var found: [Int: Int] = [:]
    for document in documents.members ?? documents.set.members {
      for value in column.values(of: Int(document)) { found[Int(value), default: 0] += 1 }
    }
    for (value, count) in found.sorted(by: { $0.key < $1.key }) { append(value, count) }
  }

  /// Counts by document: the documents of the set, or the other documents if they are fewer.
  private mutating func countByDocument(
    _ column: FacetColumn, _ documents: FacetDocuments, _ cancellation: CancellationCheck
  ) throws {
    var found = [Int32](repeating: 0, count: column.values.count)
    let isComplement = documents.count > column.documentCount / 2
    if let members = documents.members, !isComplement {
      try column.valueLists.addCounts(of: members, to: &found, cancellation)
    } else {
      var counted = documents.set
      if isComplement { counted.invert() }
      try column.valueLists.addCounts(of: counted.elements, to: &found, cancellation)
    }
    for (value, count) in found.enumerated() {
      append(value, isComplement ? column.count(of: value) - Int(count) : Int(count))
    }
  }
}

extension FacetColumn {
  /// The mean number of values of a document, rounded up.
  var meanValueCount: Int {
    documentCount == 0 ? 0 : (valueCount + documentCount - 1) / documentCount
  }
}

/// The documents of a segment whose facets are counted.
struct FacetDocuments: Sendable {
  /// The documents.
  let set: Bitmap
  /// The number of documents.
  let count: Int
  /// The documents in ascending order, if they are a small share of the segment. A list is then
  /// faster to read than the set, once for each facet.
  let members: [UInt32]?

  /// The share of the segment's documents up to which they are listed.
  private static let listedShare = 16

  /// Counts the documents of a set.
  init(_ set: Bitmap) {
    self.set = set
    count = set.cardinality
    members = count < set.count / Self.listedShare ? set.members : nil
  }
}
