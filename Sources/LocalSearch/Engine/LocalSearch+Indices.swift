import InstantSearchJSON

extension LocalSearch {
  /// The names of the indices, sorted.
  public var indexNames: [String] { indexStore.snapshots.keys.sorted() }

  /// The number of records of an index, or `nil` if it does not exist.
  public func recordCount(of indexName: String) -> Int? {
    indexStore.snapshots[indexName]?.recordCount
  }
}
