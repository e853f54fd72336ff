/// The numbers of the values of each document, in as few bytes as they fit.
///
/// Counting a facet looks up each matching document. The fewer bytes the lists have, the more of
/// them are in the processor's cache.
struct ValueLists: Sendable {
  private enum Numbers: Sendable {
    case oneByte([UInt8])
    case twoBytes([UInt16])
    case fourBytes([UInt32])
  }

  private let numbers: Numbers
  /// The length of a document's list beyond which its values count as steps.
  private static let countedLength = 64
  /// The number of values of each document, if all documents have the same number.
  private let countOfEach: Int?
  /// The start of each document's numbers, and the end of the last, if their counts differ.
  private let starts: [UInt32]
  /// The number of documents.
  private let documentCount: Int
  /// The total number of values of all documents.
  let count: Int

  /// Creates lists.
  ///
  /// - Parameters:
  ///   - starts: The start of each document's numbers, and the end of the last.
  ///   - numbers: The numbers, below `valueCount`.
  init(
    starts: [UInt32], numbers: [UInt32], valueCount: Int, _ cancellation: CancellationCheck
  ) throws {
    documentCount = max(0, starts.count - 1)
    count = numbers.count
    let first = starts.count > 1 ? starts[1] : 0
    let isUniform = try starts.indices.dropFirst().allSatisfy { index in
      try cancellation.count(element: index)
      return starts[index] - starts[index - 1] == first
    }
    countOfEach = isUniform ? Int(first) : nil
    self.starts = isUniform ? [] : starts
    self.numbers =
      switch valueCount {
      case ...0x100: .oneByte(try cancellation.map(numbers) { UInt8(truncatingIfNeeded: $0) })
      case ...0x1_0000:
        .twoBytes(try cancellation.map(numbers) { UInt16(truncatingIfNeeded: $0) })
      default: .fourBytes(numbers)
      }
  }

  @inline(__always)
  private func range(of document: Int) -> Range<Int> {
    if let countOfEach { return document * countOfEach..<(document + 1) * countOfEach }
    return Int(starts[document])..<Int(starts[document + 1])
  }

  private func number(_ index: Int) -> UInt32 {
    switch numbers {
    case .oneByte(let numbers): UInt32(numbers[index])
    case .twoBytes(let numbers): UInt32(numbers[index])
    case .fourBytes(let numbers): numbers[index]
    }
  }

  /// The numbers of a document, in ascending order.
  subscript(document: Int) -> some RandomAccessCollection<UInt32> {
    range(of: document).lazy.map { number($0) }
  }

  /// Adds the number of some documents with each value to `counts`.
  @inline(__always)
  func addCounts(
    of documents: some Sequence<UInt32>, to counts: inout [Int32],
    _ cancellation: CancellationCheck
  ) throws {
    switch numbers {
    case .oneByte(let numbers): try addCounts(numbers, of: documents, to: &counts, cancellation)
    case .twoBytes(let numbers): try addCounts(numbers, of: documents, to: &counts, cancellation)
    case .fourBytes(let numbers): try addCounts(numbers, of: documents, to: &counts, cancellation)
    }
  }

  @inline(__always)
  private func addCounts<Number: UnsignedInteger & FixedWidthInteger>(
    _ numbers: [Number], of documents: some Sequence<UInt32>, to counts: inout [Int32],
    _ cancellation: CancellationCheck
  ) throws {
    var counted = 0
    if countOfEach == 1 {
      for document in documents {
        try cancellation.count(element: counted)
        counted &+= 1
        counts[Int(numbers[Int(document)])] &+= 1
      }
      return
    }
    for document in documents {
      try cancellation.count(element: counted)
      counted &+= 1
      let range = range(of: Int(document))
      if range.count > Self.countedLength { try cancellation.count(range.count &>> 4) }
      for index in range { counts[Int(numbers[index])] &+= 1 }
    }
  }

  // MARK: Flat form

  /// Returns the start of each document's numbers, and the end of the last.
  func allStarts(_ cancellation: CancellationCheck) throws -> [UInt32] {
    guard let countOfEach else { return starts }
    return try cancellation.map(0..<documentCount + 1) {
      UInt32(truncatingIfNeeded: $0 * countOfEach)
    }
  }

  /// Returns the numbers of all documents.
  func allNumbers(_ cancellation: CancellationCheck) throws -> [UInt32] {
    switch numbers {
    case .oneByte(let numbers): try cancellation.map(numbers) { UInt32($0) }
    case .twoBytes(let numbers): try cancellation.map(numbers) { UInt32($0) }
    case .fourBytes(let numbers): numbers
    }
  }
}
