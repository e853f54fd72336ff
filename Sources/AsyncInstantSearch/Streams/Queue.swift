/// First in, first out, in constant time; a value that was taken is not kept.
package struct Queue<Element> {
  private var slots: [Element?] = []
  private var head = 0

  package init() {}

  package var count: Int { slots.count - head }

  package var first: Element? { head < slots.count ? slots[head] : nil }

  package mutating func append(_ value: Element) {
    slots.append(value)
  }

  package mutating func popFirst() -> Element? {
    guard head < slots.count, let value = slots[head] else { return nil }
    slots[head] = nil
    head += 1
    // Taken places are given back when they are half of all: constant time on average.
    if head * 2 >= slots.count {
      slots.removeFirst(head)
      head = 0
    }
    return value
  }
}

extension Queue: Sendable where Element: Sendable {}
