import InstantSearchJSON

/// The numbers of one attribute in one segment, sorted, so that a range is found by binary search.
struct NumericColumn: Sendable {
  let numbers: [Double]
  let documents: [UInt32]
  /// The documents of equal parts of the column, so that a wide range is a union of few bitmaps.
  private let blocks: [Bitmap]
  private let blockLength: Int
  /// The documents with a number.
  private let present: Bitmap

  private static let maximumBlockCount = 16
  private static let minimumBlockLength = 256

  /// Builds the column. A document can have several numbers.
  init(
    _ pairs: consuming [(number: Double, document: UInt32)], count: Int,
    _ cancellation: CancellationCheck
  ) throws {
    try cancellation.sort(&pairs) {
      $0.number == $1.number ? $0.document < $1.document : $0.number < $1.number
    }
    try self.init(
      numbers: cancellation.map(pairs) { $0.number },
      documents: cancellation.map(pairs) { $0.document }, count: count, cancellation)
  }

  /// Builds the column from sorted numbers and the document of each.
  init(
    numbers: [Double], documents: [UInt32], count: Int, _ cancellation: CancellationCheck
  ) throws {
    self.numbers = numbers
    self.documents = documents
    blockLength = max(
      Self.minimumBlockLength, documents.count / Self.maximumBlockCount + 1)
    var blocks: [Bitmap] = []
    var present = Bitmap(count: count)
    for start in stride(from: 0, to: documents.count, by: blockLength) {
      try cancellation.count(1 + blockLength &>> 4)
      var block = Bitmap(count: count)
      for document in documents[start..<min(start + blockLength, documents.count)] {
        block[Int(document)] = true
      }
      present.formUnion(block)
      blocks.append(block)
    }
    self.blocks = blocks
    self.present = present
  }

  /// Whether one of some documents has a number.
  func hasNumber(in documents: Bitmap) -> Bool {
    var present = present
    present.formIntersection(documents)
    return !present.isEmpty
  }

  /// Returns the number of each document. It is missing for documents with none or several.
  func ranking(count: Int, _ cancellation: CancellationCheck) throws -> RankingColumn {
    var values = [RankingValue](repeating: .missing, count: count)
    var isSeen = Bitmap(count: count)
    try cancellation.forEach(numbers.indices) { index in
      let document = Int(documents[index])
      values[document] = isSeen[document] ? .missing : .number(numbers[index])
      isSeen[document] = true
    }
    return try RankingColumn(values, cancellation)
  }

  /// Returns the documents that match a comparison.
  ///
  /// A document with several numbers matches if one of them does. For `!=` it needs at least one
  /// number and none that is equal.
  func documents(_ comparison: NumericComparison, _ operand: Double, count: Int) -> Bitmap {
    if let range = indices(comparison, operand) { return documents(in: range, count: count) }
    var result = present
    result.subtract(documents(from: operand, to: operand, count: count))
    return result
  }

  /// Returns the documents with a number between the bounds, both included.
  func documents(from low: Double, to high: Double, count: Int) -> Bitmap {
    documents(in: indices(from: low, to: high), count: count)
  }

  /// Returns the indices of the sorted numbers between the bounds, both included.
  func indices(from low: Double, to high: Double) -> Range<Int> {
    guard low <= high else { return 0..<0 }
    let lower = numbers.partitionPoint { $0 < low }
    return lower..<numbers.partitionPoint { $0 <= high }
  }

  /// Returns the indices of the sorted numbers in a relation to the operand, or `nil` if they are
  /// not a range.
  func indices(_ comparison: NumericComparison, _ operand: Double) -> Range<Int>? {
    switch comparison {
    case .less: 0..<numbers.partitionPoint { $0 < operand }
    case .lessOrEqual: 0..<numbers.partitionPoint { $0 <= operand }
    case .equal: indices(from: operand, to: operand)
    case .greaterOrEqual: numbers.partitionPoint { $0 < operand }..<numbers.count
    case .greater: numbers.partitionPoint { $0 <= operand }..<numbers.count
    case .notEqual: nil
    }
  }

  /// Adds the documents at some indices. Each index is visited once, even if several ranges contain
  /// it.
  ///
  /// - Complexity: O(r log r + n) for r ranges and n numbers.
  func insertDocuments(
    at ranges: [Range<Int>], into result: inout Bitmap, _ cancellation: CancellationCheck
  ) throws {
    var ranges = ranges.filter { !$0.isEmpty }
    try cancellation.sort(&ranges) { $0.lowerBound < $1.lowerBound }
    var end = 0
    for range in ranges where range.upperBound > end {
      let rest = max(range.lowerBound, end)..<range.upperBound
      end = range.upperBound
      // A bitmap is a word for 64 documents. A long range is a few bitmaps for whole blocks.
      try cancellation.count(1 + rest.count &>> 6)
      if rest.count < 2 * blockLength {
        for document in documents[rest] { result[Int(document)] = true }
      } else {
        result.formUnion(documents(in: rest, count: result.count))
      }
    }
  }

  private func documents(in range: Range<Int>, count: Int) -> Bitmap {
    var result = Bitmap(count: count)
    let first = (range.lowerBound + blockLength - 1) / blockLength
    let last = range.upperBound / blockLength
    guard first < last else {
      for document in documents[range] { result[Int(document)] = true }
      return result
    }
    for block in blocks[first..<last] { result.formUnion(block) }
    for document in documents[range.lowerBound..<first * blockLength] {
      result[Int(document)] = true
    }
    for document in documents[last * blockLength..<range.upperBound] {
      result[Int(document)] = true
    }
    return result
  }
}

extension NumericColumn {
  /// Collects the numbers of one attribute.
  struct Builder {
    private let cancellation: CancellationCheck
    private var numbers = PieceList<Double>()
    private var documents = PieceList<UInt32>()

    init(_ cancellation: CancellationCheck) { self.cancellation = cancellation }

    /// Adds a number of a document.
    mutating func add(_ number: Double, document: Int) {
      numbers.append(number)
      documents.append(UInt32(clamping: document))
    }

    /// Returns the finished column for a number of documents. The builder is empty then.
    mutating func build(count: Int) throws -> NumericColumn {
      let pairs = try cancellation.map(numbers.indices) {
        (number: numbers[$0], document: documents[$0])
      }
      self = Self(cancellation)
      return try NumericColumn(pairs, count: count, cancellation)
    }
  }
}

/// The values of one ranking attribute, one per document.
struct RankingColumn: Sendable {
  enum Storage: Sendable {
    /// Numbers only, NaN for documents without one.
    case numbers([Double])
    case mixed([RankingValue])
  }

  let storage: Storage

  /// Creates a column from its values.
  init(_ storage: Storage) { self.storage = storage }

  /// Creates the column from the values of all documents.
  init(_ values: [RankingValue], _ cancellation: CancellationCheck) throws {
    var numbers: [Double] = []
    numbers.reserveCapacity(values.count)
    for (document, value) in values.enumerated() {
      try cancellation.count(element: document)
      switch value {
      case .missing: numbers.append(.nan)
      case .number(let number): numbers.append(number)
      case .bool, .string:
        storage = .mixed(values)
        return
      }
    }
    storage = .numbers(numbers)
  }

  /// Creates the column from the only facet value of each document. It is missing for documents
  /// with none or several.
  init(_ facet: FacetColumn, _ cancellation: CancellationCheck) throws {
    try self.init(
      cancellation.map(0..<facet.documentCount) { document in
        let values = facet.values(of: document)
        guard values.count == 1, let index = values.first else { return .missing }
        let value = facet.values[Int(index)]
        return value.number.map(RankingValue.number)
          ?? .string(Array(value.text.utf8.prefix(RankingValue.maximumLength)))
      }, cancellation)
  }

  /// The number of each document, NaN for documents without one, or `nil` if some values aren't
  /// numbers.
  var numbers: [Double]? {
    if case .numbers(let numbers) = storage { numbers } else { nil }
  }

  /// Returns the value of one document.
  subscript(document: Int) -> RankingValue {
    switch storage {
    case .numbers(let numbers):
      let number = numbers[document]
      return number.isNaN ? .missing : .number(number)
    case .mixed(let values): return values[document]
    }
  }
}
