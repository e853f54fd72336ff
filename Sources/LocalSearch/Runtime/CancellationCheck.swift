package import InstantSearchJSON
import Synchronization

/// Whether a call was cancelled, for work outside the caller's task.
package final class CancellationFlag: Sendable {
  private let value = Atomic(false)

  package init() {}

  var isSet: Bool { value.load(ordering: .relaxed) }

  package func set() { value.store(true, ordering: .relaxed) }
}

/// The part of a response that makes it too large.
enum ResponsePart {
  case hits, facets, facetHits, record, settings, indices, entries

  /// Advice that completes "The response is larger than …;".
  fileprivate var advice: String {
    switch self {
    case .hits:
      "request fewer hits with hitsPerPage, or fewer attributes with attributesToRetrieve,"
        + " attributesToHighlight and attributesToSnippet"
    case .facets: "request fewer facets, or fewer values of each with maxValuesPerFacet"
    case .facetHits: "request fewer values with maxFacetHits"
    case .record: "request fewer attributes with attributesToRetrieve"
    case .settings: "raise maximumResponseSize in the configuration of the engine"
    case .indices: "request fewer indices with page and hitsPerPage"
    case .entries: "request fewer entries with hitsPerPage"
    }
  }
}

/// Checks for cancellation, the deadline and the budget during long work, and lets other calls run.
///
/// Each call has one instance, which all of its work shares: parsing, indexing, merging, sorting.
/// The work counts steps, and after every ``interval`` steps the instance checks whether to go on.
/// A step is a small piece of work, such as a value of a record, a word of a text or a comparison.
/// Work on texts counts their length.
///
/// A type that is made for one call keeps it. The data of an index, which calls share, gets it as a
/// parameter.
package final class CancellationCheck {
  /// The number of steps between two checks, about a millisecond of work.
  package static let interval = 1024
  /// The number of steps that a call that reads may take, about half a minute of work.
  static let readBudget = 100_000_000
  /// The maximum number of parts of a value that is released before the caller has the outcome.
  static let maximumPartCount = 1000

  private let flag: CancellationFlag?
  /// The deadline of the call.
  let deadline: Deadline?
  private let interval: Int
  /// The maximum size of the response, in bytes.
  private let responseSizeLimit: Int
  /// The client whose memory the response takes.
  private let client: CallClient?
  /// The size of the response up to which the memory is taken.
  private var takenSize = 1 << 16
  private let leftovers: DeferredReleases?
  /// The turns of a read, after which others run.
  private var turns: ReadTurns?
  /// The number of steps until the next check.
  private var stepsLeft: Int
  /// The number of steps until the budget is exhausted.
  private var budget: Int

  /// Creates the instance of a call. Without a flag and a deadline it never ends the work.
  package init(
    flag: CancellationFlag? = nil, deadline: Deadline? = nil,
    interval: Int = CancellationCheck.interval, maximumResponseSize: Int = .max,
    client: CallClient? = nil, budget: Int = .max, turns: ReadTurns? = nil,
    leftovers: DeferredReleases? = nil
  ) {
    self.flag = flag
    self.deadline = deadline
    self.interval = interval
    responseSizeLimit = maximumResponseSize
    self.client = client
    self.budget = budget
    self.turns = turns
    self.leftovers = leftovers
    stepsLeft = interval
  }

  /// Returns a closure that makes instances for other threads that work for the same call.
  func makeForThreads() -> @Sendable () -> CancellationCheck {
    { [flag, deadline, interval, responseSizeLimit, budget, turns] in
      CancellationCheck(
        flag: flag, deadline: deadline, interval: interval, maximumResponseSize: responseSizeLimit,
        budget: budget, turns: turns?.ofOtherThread())
    }
  }

  /// Returns an instance for work that later calls use too, which counts for none of them.
  ///
  /// A call that ran out of its budget would leave nothing, and so would each call after it.
  func withoutBudget() -> CancellationCheck {
    CancellationCheck(flag: flag, deadline: deadline, interval: interval, turns: turns)
  }

  /// Throws `CancellationError` if the flag is set, or a `SearchError` with code `timedOut` if the
  /// deadline has passed.
  package func check() throws {
    if let flag, flag.isSet { throw CancellationError() }
    if let deadline, deadline.hasPassed {
      throw SearchError(.timedOut, "The deadline passed before the engine finished.")
    }
  }

  /// Counts steps, and checks after every ``interval`` of them.
  @inline(__always)
  package func count(_ steps: Int = 1) throws {
    stepsLeft &-= steps
    if stepsLeft <= 0 { try checkAgain() }
  }

  /// Counts the steps for reading a number of bytes.
  @inline(__always)
  package func count(bytes: Int) throws { try count(1 &+ bytes &>> 6) }

  /// Releases a value after the caller has the outcome, if it has so many parts that releasing it
  /// takes long.
  func releaseLater(_ value: @autoclosure () -> Any, partCount: Int) {
    if partCount > Self.maximumPartCount { leftovers?.keep(value()) }
  }

  /// The bytes of a response for which memory is taken at one time.
  private static let takenStep = 1 << 20

  /// Rejects a response that is too large, or for which the client has no memory left.
  ///
  /// - Parameter part: The part that is being written.
  func check(responseSize: Int, _ part: ResponsePart = .hits) throws(APIError) {
    if responseSize > responseSizeLimit {
      throw APIError("The response is larger than \(responseSizeLimit) bytes; \(part.advice)")
    }
    guard responseSize > takenSize, let client else { return }
    takenSize = responseSize + Self.takenStep
    guard client.takes(takenSize) else {
      throw APIError(status: 503, "Too many large responses at one time")
    }
  }

  /// Counts a text that is written next, and rejects it if it makes the response too large.
  ///
  /// - Parameters:
  ///   - size: The size of the response before the text, in bytes.
  ///   - part: The part that contains the text.
  func count(text: String, after size: Int, _ part: ResponsePart) throws {
    let length = text.utf8.count
    try count(bytes: length)
    try check(responseSize: size + length, part)
  }

  @inline(never)
  private func checkAgain() throws {
    budget &-= interval &- stepsLeft
    stepsLeft = interval
    turns?.pauseIfOver()
    try check()
    if budget <= 0 {
      throw APIError(
        "The call takes too much work; use a shorter query, fewer facets, filters and attributes,"
          + " or smaller pages")
    }
  }
}

extension CancellationCheck {
  /// Sorts, counting a step for each comparison.
  func sort<Elements: MutableCollection & RandomAccessCollection>(
    _ elements: inout Elements, by precedes: (Elements.Element, Elements.Element) throws -> Bool
  ) throws {
    let length = elements.count
    if length < Self.shortCount {
      // At most one comparison per pair.
      try count(length &* length &>> 1)
      return try elements.sort(by: precedes)
    }
    try elements.sort { left, right in
      try count()
      return try precedes(left, right)
    }
  }

  /// Sorts values that are compared as one number, in ascending order, counting a step for 16
  /// comparisons.
  func sort<Number: Comparable>(_ numbers: inout [Number]) throws {
    if numbers.count < Self.numberCount {
      try count(1 &+ numbers.count)
      return numbers.sort()
    }
    var comparisons = 0
    try numbers.sort { left, right in
      comparisons &+= 1
      try count(element: comparisons)
      return left < right
    }
  }

  /// The number of numbers below which comparisons are counted before sorting.
  private static let numberCount = 4096
  /// The number of elements below which comparisons are counted before sorting.
  private static let shortCount = 64

  /// Sorts texts, or values with texts, counting more steps for comparing long ones.
  func sort<Element>(
    _ elements: inout [Element], length: (Element) -> Int,
    by precedes: (Element, Element) throws -> Bool
  ) throws {
    try elements.sort { left, right in
      try count(bytes: min(length(left), length(right)))
      return try precedes(left, right)
    }
  }

  /// Returns the first index at or after `start` whose byte matches, or the end.
  func firstIndex(
    in bytes: [UInt8], from start: Int, where isWanted: (UInt8) -> Bool
  ) throws -> Int {
    var index = start
    while index < bytes.count {
      let end = min(bytes.count, index + 4096)
      try count(bytes: end - index)
      if let found = bytes[index..<end].firstIndex(where: isWanted) { return found }
      index = end
    }
    return bytes.count
  }

  /// The maximum nesting of arrays and objects in records and user data, the outermost included.
  ///
  /// Responses nest a record and its highlights a few levels deeper. So this stays well below the
  /// maximum depth of a JSON parser.
  static let maximumDepth = 200
  /// The maximum number of members of an object in a request, a record or settings.
  static let maximumMemberCount = 65_536
  /// The maximum length of a key, in bytes.
  static let maximumKeySize = 65_536
  /// The maximum length of a number, in bytes.
  static let maximumNumberSize = 65_536

  /// The maximum length of a string in its JSON form, in bytes.
  static let maximumStringSize = 1 << 24

  /// Parses a JSON text that may be long.
  ///
  /// - Throws: `JSONError` for invalid JSON, or the error that ended the work.
  ///
  /// - Parameter membersBeyond: The number of members beyond the limit that an object may have.
  package func document(_ bytes: ArraySlice<UInt8>, membersBeyond: Int = 0) throws -> JSONDocument {
    try count(bytes: min(bytes.count, 1 << 16))
    return try JSONDocument(
      bytes, maximumMembers: Self.maximumMemberCount + membersBeyond,
      maximumKeySize: Self.maximumKeySize,
      maximumNumberSize: Self.maximumNumberSize, maximumStringSize: Self.maximumStringSize,
      check: { try self.check() })
  }

  /// Parses JSON that the engine has written, such as a stored record, which may exceed the limits
  /// of requests a little.
  package func stored(_ bytes: ArraySlice<UInt8>) throws -> JSONNode {
    try count(bytes: min(bytes.count, 1 << 16))
    return try JSONDocument(bytes, check: { try self.check() }).root
  }

  /// Parses a stored record. Returns `nil` for invalid JSON.
  func record(_ bytes: ArraySlice<UInt8>) throws -> JSONNode? {
    do {
      return try stored(bytes)
    } catch is JSONError {
      return nil
    }
  }
}

extension CancellationCheck {
  /// The number of elements of a simple loop that count as one step. A power of two.
  private static let elementsOfStep = 16

  /// Counts a step for every 16 elements of a loop that does little for each of them.
  ///
  /// - Parameter index: The number of the element.
  @inline(__always)
  func count(element index: Int) throws {
    if index & (Self.elementsOfStep - 1) == 0 { try count() }
  }

  /// The number of elements between two checks of a loop that does little for each.
  private var checkedElements: Int { interval &* Self.elementsOfStep }

  /// Returns an array made from a collection that may be long, with little work for each element.
  @inline(__always)
  func map<Elements: Collection, Result>(
    _ elements: Elements, _ transform: (Elements.Element) throws -> Result
  ) throws -> [Result] {
    let elementCount = elements.count
    if elementCount <= checkedElements {
      try count(1 &+ elementCount / Self.elementsOfStep)
      return try elements.map(transform)
    }
    var results: [Result] = []
    results.reserveCapacity(elementCount)
    try forEach(elements) { results.append(try transform($0)) }
    return results
  }

  /// Calls a closure for each element of a collection that may be long, with little work for each.
  @inline(__always)
  func forEach<Elements: Collection>(
    _ elements: Elements, _ body: (Elements.Element) throws -> Void
  ) throws {
    let elementCount = elements.count
    if elementCount <= checkedElements {
      try count(1 &+ elementCount / Self.elementsOfStep)
      for element in elements { try body(element) }
      return
    }
    var index = 0
    for element in elements {
      try count(element: index)
      index &+= 1
      try body(element)
    }
  }
}
