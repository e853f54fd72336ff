/// A dictionary whose entries are linked in order. Every operation takes constant time, except
/// ``values``.
///
/// The cache stores its responses in it, least recently used first. A fair queue stores its
/// callers in it, any of which can leave.
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

  /// Creates an empty dictionary.
  package init() {}

  /// The number of entries.
  package var count: Int { slotIndices.count }

  /// Whether there are no entries.
  package var isEmpty: Bool { slotIndices.isEmpty }

  /// The key of the first entry.
  package var firstKey: Key? { head.flatMap { slots[$0]?.key } }

  /// The key of the last entry.
  package var lastKey: Key? { tail.flatMap { slots[$0]?.key } }

  /// The values in order.
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

  /// The value of a key. Setting `nil` removes the entry, a new key is appended, and an existing
  /// entry keeps its position.
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

  /// Changes the value of a key without moving it; `nil` if the key is missing.
  package mutating func change<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
    guard let index = slotIndices[key] else { return nil }
    return slots[index]?.change(change)
  }

  /// Appends an entry, and returns the value that the key had before.
  @discardableResult
  package mutating func append(_ key: Key, _ value: Value) -> Value? {
    let previous = remove(key)
    let index = take(Slot(key: key, value: value, previous: tail, next: nil))
    if let tail { slots[tail]?.next = index } else { head = index }
    tail = index
    return previous
  }

  /// Removes an entry.
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

  /// Moves an existing entry to the end.
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
