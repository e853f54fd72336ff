extension HitsInteractor {
  /// The number of rows, loaded or not.
  public func numberOfHits() -> Int { storage.visible?.rowCount ?? 0 }

  /// The rows, with `nil` for each that is not loaded or does not fit `Record`.
  ///
  /// - Complexity: O(1), however many rows there are.
  public var hits: HitsRows<Record> { HitsRows(storage.visible) }

  /// The records that are loaded, in order, without the gaps.
  public var currentHits: [Record] { storage.visible?.loadedRecords ?? [] }

  /// The record of a row, which counts as presented; `nil` when it is not loaded, does not fit
  /// `Record`, or there is no such row.
  public func hit(atIndex row: Int) -> Record? {
    storage.present(row)
    return storage.visible?[row]
  }

  /// Tells that a row is presented, so that the pages around it are loaded.
  ///
  /// Does nothing for a row that does not exist, without infinite scrolling, and while a newer
  /// search is due or under way.
  public func notifyDidPresentRow(atIndex row: Int) {
    storage.present(row)
  }

  /// The record of a row as the JSON it came as, which counts as presented; `nil` when its page is
  /// not loaded. A record that does not fit `Record` is there as well.
  public func rawHit(atIndex row: Int) -> JSON? {
    storage.present(row)
    guard let (page, slot) = storage.visible?.place(of: row) else { return nil }
    return page.source?.rawHit(at: slot) ?? page.slots[slot] as? JSON
  }

  /// The members of a record as the JSON they came as; otherwise as ``rawHit(atIndex:)``.
  public func rawHitAtIndex(_ row: Int) -> [String: JSON]? {
    rawHit(atIndex: row)?.objectValue
  }

  /// The record of a row as a type that the caller knows it to be, which counts as presented.
  ///
  /// - Returns: `nil` when the row is not loaded or does not exist.
  /// - Throws: `decoding` when records are of another type. Nothing is converted.
  public func genericHit<Other>(
    atIndex row: Int, as type: Other.Type = Other.self
  ) throws(SearchError) -> Other? {
    guard let hit = hit(atIndex: row) else { return nil }
    return try cast(hit, row: row, to: type)
  }
}
