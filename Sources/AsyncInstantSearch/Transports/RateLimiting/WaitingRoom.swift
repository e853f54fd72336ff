/// Calls that wait for their first turn, in lanes: a value without time.
///
/// The lanes have turns one after the other, and within one the calls in the order in which they
/// came. Every operation takes constant time, whatever the number of calls and of lanes.
package struct WaitingRoom: Sendable {
  /// Who waits to make a call: for word whether it may begin. If not, the refusal it had stands.
  package typealias Caller = Waiter<Bool>

  /// The lane whose turn is next stands first, and no lane is empty.
  private var lanes = OrderedEntries<String, OrderedEntries<UInt64, Caller>>()
  /// The lanes by the number of their calls. As that changes by one at a time, the greatest number
  /// is known without a search.
  private var lanesByLength: [Int: OrderedEntries<String, Void>] = [:]
  private var greatestLength = 0

  /// How many calls wait.
  package private(set) var count = 0

  /// Creates a room in which nobody waits.
  package init() {}

  /// A call comes, as the last of its lane.
  package mutating func enter(_ number: UInt64, in lane: String, _ caller: Caller) {
    if lanes[lane] == nil { lanes.append(lane, OrderedEntries()) }
    let length = lanes.change(lane) { calls in
      calls.append(number, caller)
      return calls.count
    }
    if let length { note(length, of: lane, after: length - 1) }
    count += 1
  }

  /// Takes a call out; `nil` when it does not wait.
  @discardableResult
  package mutating func take(_ number: UInt64, in lane: String) -> Caller? {
    let taken = lanes.change(lane) { calls in
      calls.remove(number).map { (caller: $0, length: calls.count) }
    }
    guard let (caller, length) = taken ?? nil else { return nil }
    if length == 0 { lanes.remove(lane) }
    note(length, of: lane, after: length + 1)
    count -= 1
    return caller
  }

  /// Takes the first call of the lane whose turn it is, which has its next turn after all others.
  package mutating func takeNext() -> (number: UInt64, caller: Caller)? {
    guard let lane = lanes.firstKey, let number = lanes[lane]?.firstKey,
      let caller = take(number, in: lane)
    else { return nil }
    lanes.moveToEnd(lane)
    return (number, caller)
  }

  /// Takes the newest call of the longest lane, which makes room for one that has come in `lane`.
  /// Of several such lanes it is that one, so that nobody has to go for a lane that is as long.
  package mutating func takeOneTooMany(afterOneIn lane: String) -> Caller? {
    let isLongest = lanes[lane]?.count == greatestLength
    guard let longest = isLongest ? lane : lanesByLength[greatestLength]?.firstKey,
      let number = lanes[longest]?.lastKey
    else { return nil }
    return take(number, in: longest)
  }

  private mutating func note(_ length: Int, of lane: String, after former: Int) {
    lanesByLength[former]?.remove(lane)
    if lanesByLength[former]?.isEmpty == true { lanesByLength[former] = nil }
    if length > 0 { lanesByLength[length, default: OrderedEntries()].append(lane, ()) }
    if length > greatestLength || lanesByLength[greatestLength] == nil { greatestLength = length }
  }
}
