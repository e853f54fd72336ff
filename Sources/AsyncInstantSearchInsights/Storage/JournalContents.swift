/// What the bytes of a journal come to.
struct JournalContents {
  /// The events that wait, in the order of the file.
  private(set) var waiting: [InsightsRecord] = []
  /// Where each of them is in the file.
  private(set) var places: [UInt64: Int] = [:]
  /// The number of the next record.
  private(set) var nextID: UInt64 = 1
  /// Where the last intact record ends, or the header.
  private(set) var end = JournalFormat.headerLength
  /// How many bytes before the end belong to no record.
  private(set) var damagedByteCount = 0

  /// Reads what stands behind an intact header.
  ///
  /// A damaged place is passed over: the next mark with an intact record behind it goes on. What
  /// comes after the last intact record is a write that was interrupted, or damage; both are to be
  /// cut.
  ///
  /// - Parameter nextID: What the header says of the next number; `nil` when it is damaged.
  /// - Complexity: O(`bytes.count`); of bytes made up to take longer, the rest counts as damaged.
  init(of bytes: [UInt8], nextID: UInt64?) {
    var known: [UInt64: Int?] = [:]
    var events: [InsightsRecord?] = []
    var last: UInt64 = 0
    var checked = 0
    var place = JournalFormat.headerLength
    while place < bytes.count, checked / 8 <= bytes.count {
      if let frame = JournalFormat.frame(at: place, of: bytes) {
        checked += frame.payload.count
        if let payload = JournalFormat.payload(of: frame, in: bytes) {
          if case .event(let record) = payload, known[record.id] == nil {
            places[record.id] = place
          }
          Self.apply(payload, to: &events, known: &known, last: &last)
          if frame.isCrossedOut, case .event(let record) = payload {
            Self.apply(.acknowledgement([record.id]), to: &events, known: &known, last: &last)
          }
          damagedByteCount += place - end
          place = frame.payload.upperBound
          end = place
          continue
        }
      }
      guard let next = JournalFormat.nextMark(from: place + 1, of: bytes) else { break }
      place = next
    }
    waiting = events.compactMap(\.self)
    let waitingIDs = Set(waiting.map(\.id))
    places = places.filter { waitingIDs.contains($0.key) }
    let (following, isLast) = last.addingReportingOverflow(1)
    self.nextID = max(nextID ?? 1, isLast ? .max : following)
    if nextID == nil { damagedByteCount += JournalFormat.headerLength }
  }

  /// Takes a record in. A number that was there before says nothing new: an event that is done with
  /// does not come back.
  private static func apply(
    _ payload: JournalFormat.Payload, to events: inout [InsightsRecord?],
    known: inout [UInt64: Int?], last: inout UInt64
  ) {
    switch payload {
    case .event(let record):
      guard known[record.id] == nil else { return }
      known[record.id] = .some(events.count)
      events.append(record)
      last = max(last, record.id)
    case .acknowledgement(let ids):
      for id in ids {
        if case .some(.some(let index)) = known[id] { events[index] = nil }
        known[id] = .some(nil)
        last = max(last, id)
      }
    }
  }
}
