/// Entries by key that stand in a row: every operation takes constant time.
///
/// A cache keeps its answers in it, the one used longest ago first; a waiting room its callers, of
/// whom any may leave.
package struct LinkedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Slot: Sendable {
    let key: Key
    var value: Value
    var previous: Int?
    var next: Int?

    mutating func change<Result>(_ change: (inout Value) -> Result) -> Result { change(&value) }
  }

  private var slots: [Slot?] = []
  private var free: [Int] = []
  private var slotIndices: [Key: Int] = [:]
  private var head: Int?
  private var tail: Int?

  /// Creates a row without entries.
  package init() {}

  /// How many entries there are.
  package var count: Int { slotIndices.count }

  /// Whether there are none.
  package var isEmpty: Bool { slotIndices.isEmpty }

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
    var index = head
    while let current = index.flatMap({ slots[$0] }) {
      values.append(current.value)
      index = current.next
    }
    return values
  }

  /// The value of a key. One that is set to `nil` leaves the row, a new one goes to its end, and
  /// one that is there keeps its index.
  package subscript(key: Key) -> Value? {
    get { slotIndices[key].flatMap { slots[$0]?.value } }
    set {
      guard let newValue else {
        remove(key)
        return
      }
      if let index = slotIndices[key] {
        slots[index]?.value = newValue
      } else {
        append(key, newValue)
      }
    }
  }

  /// Changes the value of a key in its index; `nil` when there is none.
  package mutating func change<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
    guard let index = slotIndices[key] else { return nil }
    return slots[index]?.change(change)
  }

  /// Puts an entry at the end of the row; gives back the value that the key had before.
  @discardableResult
  package mutating func append(_ key: Key, _ value: Value) -> Value? {
    let former = remove(key)
    let index = take(Slot(key: key, value: value, previous: tail, next: nil))
    if let tail { slots[tail]?.next = index } else { head = index }
    tail = index
    return former
  }

  /// Takes an entry out of the row.
  @discardableResult
  package mutating func remove(_ key: Key) -> Value? {
    guard let index = slotIndices.removeValue(forKey: key), let slot = slots[index] else {
      return nil
    }
    if let previous = slot.previous { slots[previous]?.next = slot.next } else { head = slot.next }
    if let next = slot.next { slots[next]?.previous = slot.previous } else { tail = slot.previous }
    slots[index] = nil
    free.append(index)
    return slot.value
  }

  /// Puts an entry that is there at the end of the row.
  package mutating func moveToEnd(_ key: Key) {
    guard let value = remove(key) else { return }
    append(key, value)
  }

  private mutating func take(_ slot: Slot) -> Int {
    guard let index = free.popLast() else {
      slots.append(slot)
      slotIndices[slot.key] = slots.count - 1
      return slots.count - 1
    }
    slots[index] = slot
    slotIndices[slot.key] = index
    return index
  }
}
