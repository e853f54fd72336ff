/// Entries by key that stand in a row: every operation takes constant time.
///
/// A cache keeps its answers in it, the one used longest ago first; a waiting room its callers, of
/// whom any may leave.
package struct OrderedEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Slot: Sendable {
    let key: Key
    var value: Value
    var previous: Int?
    var next: Int?

    mutating func change<Result>(_ change: (inout Value) -> Result) -> Result { change(&value) }
  }

  private var slots: [Slot?] = []
  private var free: [Int] = []
  private var places: [Key: Int] = [:]
  private var head: Int?
  private var tail: Int?

  /// Creates a row without entries.
  package init() {}

  /// How many entries there are.
  package var count: Int { places.count }

  /// Whether there are none.
  package var isEmpty: Bool { places.isEmpty }

  /// The key of the entry that stands first.
  package var firstKey: Key? { head.flatMap { slots[$0]?.key } }

  /// The key of the entry that stands last.
  package var lastKey: Key? { tail.flatMap { slots[$0]?.key } }

  /// The values in the order of the row.
  ///
  /// - Complexity: O(count).
  package var values: [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    var place = head
    while let current = place.flatMap({ slots[$0] }) {
      values.append(current.value)
      place = current.next
    }
    return values
  }

  /// The value of a key. One that is set to `nil` leaves the row, a new one goes to its end, and
  /// one that is there keeps its place.
  package subscript(key: Key) -> Value? {
    get { places[key].flatMap { slots[$0]?.value } }
    set {
      guard let newValue else {
        remove(key)
        return
      }
      if let place = places[key] {
        slots[place]?.value = newValue
      } else {
        append(key, newValue)
      }
    }
  }

  /// Changes the value of a key in its place; `nil` when there is none.
  package mutating func change<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
    guard let place = places[key] else { return nil }
    return slots[place]?.change(change)
  }

  /// Puts an entry at the end of the row; gives back the value that the key had before.
  @discardableResult
  package mutating func append(_ key: Key, _ value: Value) -> Value? {
    let former = remove(key)
    let place = take(Slot(key: key, value: value, previous: tail, next: nil))
    if let tail { slots[tail]?.next = place } else { head = place }
    tail = place
    return former
  }

  /// Takes an entry out of the row.
  @discardableResult
  package mutating func remove(_ key: Key) -> Value? {
    guard let place = places.removeValue(forKey: key), let slot = slots[place] else { return nil }
    if let previous = slot.previous { slots[previous]?.next = slot.next } else { head = slot.next }
    if let next = slot.next { slots[next]?.previous = slot.previous } else { tail = slot.previous }
    slots[place] = nil
    free.append(place)
    return slot.value
  }

  /// Puts an entry that is there at the end of the row.
  package mutating func moveToEnd(_ key: Key) {
    guard let value = remove(key) else { return }
    append(key, value)
  }

  private mutating func take(_ slot: Slot) -> Int {
    guard let place = free.popLast() else {
      slots.append(slot)
      places[slot.key] = slots.count - 1
      return slots.count - 1
    }
    slots[place] = slot
    places[slot.key] = place
    return place
  }
}
