/// Some documents in ascending order, with the values that the criteria compare so far. Smaller
/// values come first.
struct CandidateBatch {
  /// The documents.
  private(set) var documents: [UInt32]
  /// The values of each criterion so far.
  private(set) var values: [[Int]] = []
  /// The proximity of each document, and the key of its best attribute, once calculated.
  var positions: [(proximity: Int, key: UInt32)] = []
  /// Whether each document ranks before the last of the best by the criteria so far. Otherwise it
  /// ties.
  private var areAhead: [Bool]

  /// Creates a batch without values.
  ///
  /// - Parameter areAhead: Whether there is room for all documents.
  init(_ documents: [UInt32], areAhead: Bool) {
    self.documents = documents
    self.areAhead = Array(repeating: areAhead, count: documents.count)
  }

  /// Whether a document ties with the last one of the best so far.
  func ties(_ row: Int) -> Bool { !areAhead[row] }

  /// Adds the values of the next criterion, and removes the documents that are behind the last one
  /// of the best.
  ///
  /// - Parameter last: The value of the last one, or `nil` if there is room.
  mutating func add(_ column: [Int], last: Int?) {
    values.append(column)
    guard let last else { return }
    var kept: [Int] = []
    for row in documents.indices {
      if !areAhead[row] {
        if column[row] > last { continue }
        if column[row] < last { areAhead[row] = true }
      }
      kept.append(row)
    }
    if kept.count == documents.count { return }
    documents = kept.map { documents[$0] }
    areAhead = kept.map { areAhead[$0] }
    values = values.map { column in kept.map { column[$0] } }
    if !positions.isEmpty { positions = kept.map { positions[$0] } }
  }
}
