import InstantSearchJSON
import Synchronization

/// Whether a call was cancelled, for work that is not part of the caller's task.
package final class CancellationFlag: Sendable {
  private let value = Atomic(false)

  package init() {}

  var isSet: Bool { value.load(ordering: .relaxed) }

  package func set() { value.store(true, ordering: .relaxed) }
}

/// What makes an answer long.
enum AnswerPart {
  case hits, facets, facetHits, record, settings, indices

  /// What to do, in words that complete "The answer is larger than …;".
  fileprivate var advice: String {
    switch self {
    case .hits:
      "ask for fewer hits with hitsPerPage, or for fewer attributes with attributesToRetrieve,"
        + " attributesToHighlight and attributesToSnippet"
    case .facets: "ask for fewer facets, or for fewer values of each with maxValuesPerFacet"
    case .facetHits: "ask for fewer values with maxFacetHits"
    case .record: "ask for fewer attributes with attributesToRetrieve"
    case .settings: "read the settings with settings(of:) of the engine, which has no such limit"
    case .indices: "read the names with indexNames of the engine, which has no such limit"
    }
  }
}

/// Where long work counts what it does, and checks from time to time whether it is still wanted.
///
/// One call of the engine has one checkpoint, which is passed through everything that the call
/// does: parsing, indexing, merging, sorting. A step is a small piece of work, such as a value of a
/// record, a word of a text or a comparison. What is in proportion to the length of a text counts
/// the length.
package final class Checkpoint {
  /// How many steps are made between two questions, which is a few milliseconds of work.
  package static let interval = 4096
  /// Of how many parts a value may consist that is released before the caller has the outcome.
  static let maximumPartCount = 1000

  private let cancellation: CancellationFlag?
  /// When the call must have ended.
  let deadline: Deadline?
  private let interval: Int
  /// The most bytes of the answer.
  private let answerSizeLimit: Int
  private let leftovers: Leftovers?
  /// How many steps are left until the next question.
  private var stepsLeft: Int

  /// Creates the checkpoint of a call; without a flag and a deadline nothing ends the work early.
  package init(
    cancellation: CancellationFlag? = nil, deadline: Deadline? = nil,
    interval: Int = Checkpoint.interval, maximumAnswerSize: Int = .max,
    leftovers: Leftovers? = nil
  ) {
    self.cancellation = cancellation
    self.deadline = deadline
    self.interval = interval
    answerSizeLimit = maximumAnswerSize
    self.leftovers = leftovers
    stepsLeft = interval
  }

  /// Throws `CancellationError` when the flag is set, and a `SearchError` of code `timedOut`
  /// when the deadline has passed.
  func check() throws {
    if let cancellation, cancellation.isSet { throw CancellationError() }
    if let deadline, deadline.hasPassed {
      throw SearchError(.timedOut, "the deadline passed before the engine was done")
    }
  }

  /// Counts steps, and checks when there were enough of them.
  @inline(__always)
  func count(_ steps: Int = 1) throws {
    stepsLeft &-= steps
    if stepsLeft <= 0 { try checkAgain() }
  }

  /// Counts the steps that it takes to read so many bytes.
  @inline(__always)
  func count(bytes: Int) throws { try count(1 &+ bytes &>> 6) }

  /// Releases a value after the caller has the outcome if it consists of many parts, which takes
  /// long.
  func releaseLater(_ value: @autoclosure () -> Any, partCount: Int) {
    if partCount > Self.maximumPartCount { leftovers?.keep(value()) }
  }

  /// Refuses to make the answer any longer once it has more bytes than the engine answers.
  ///
  /// - Parameter part: What makes it so long.
  func check(answerSize: Int, _ part: AnswerPart = .hits) throws(APIError) {
    guard answerSize > answerSizeLimit else { return }
    throw APIError("The answer is larger than \(answerSizeLimit) bytes; \(part.advice)")
  }

  /// Counts a text that comes next in the answer, and refuses it when it is too long.
  ///
  /// - Parameters:
  ///   - size: How many bytes the answer has before it.
  ///   - part: What makes it so long.
  func count(text: String, after size: Int, _ part: AnswerPart) throws {
    let length = text.utf8.count
    try count(bytes: length)
    try check(answerSize: size + length, part)
  }

  @inline(never)
  private func checkAgain() throws {
    stepsLeft = interval
    try check()
  }
}

extension Checkpoint {
  /// Sorts; a comparison is a step.
  func sort<Element>(
    _ elements: inout [Element], by precedes: (Element, Element) throws -> Bool
  ) throws {
    try elements.sort { left, right in
      try count()
      return try precedes(left, right)
    }
  }

  /// Sorts texts or what contains them; comparing long texts takes more steps.
  func sort<Element>(
    _ elements: inout [Element], length: (Element) -> Int,
    by precedes: (Element, Element) throws -> Bool
  ) throws {
    try elements.sort { left, right in
      try count(bytes: min(length(left), length(right)))
      return try precedes(left, right)
    }
  }

  /// The first index from `start` on whose byte is wanted; the end when there is none.
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

  /// How many arrays and objects a record or user data may nest in one another, the outermost
  /// counted.
  ///
  /// An answer puts a record, and the highlights in its shape, a few levels deeper than it came; so
  /// this stays well below the depth that a JSON parser takes.
  static let maximumDepth = 200
  /// How many members an object of a request, a record or settings may have.
  static let maximumMemberCount = 65_536
  /// How many bytes a key may have.
  static let maximumKeySize = 65_536
  /// How many bytes a number may have.
  static let maximumNumberSize = 65_536

  /// How many bytes a text may have as written.
  static let maximumStringSize = 1 << 24

  /// Reads a JSON text that may be long.
  ///
  /// - Throws: `JSONError` for what is no JSON, else what ended the work.
  ///
  /// - Parameter membersBeyond: How many members more than the limit an object may have.
  func document(
    _ bytes: ArraySlice<UInt8>, membersBeyond: Int = 0
  ) throws -> JSONDocument {
    try count(bytes: min(bytes.count, 1 << 16))
    return try JSONDocument(
      bytes, maximumMembers: Self.maximumMemberCount + membersBeyond,
      maximumKeySize: Self.maximumKeySize,
      maximumNumberSize: Self.maximumNumberSize, maximumStringSize: Self.maximumStringSize,
      check: { try self.check() })
  }

  /// Reads JSON that the engine itself has written, such as a stored record, which may go a little
  /// beyond the limits of what is sent.
  func stored(_ bytes: ArraySlice<UInt8>) throws -> JSONNode {
    try count(bytes: min(bytes.count, 1 << 16))
    return try JSONDocument(bytes, check: { try self.check() }).root
  }

  /// Reads a stored record; `nil` for what is no JSON.
  func record(_ bytes: ArraySlice<UInt8>) throws -> JSONNode? {
    do {
      return try stored(bytes)
    } catch is JSONError {
      return nil
    }
  }
}

extension Checkpoint {
  /// How many elements of a plain pass over an array are a step; a power of two.
  private static let elementsOfStep = 16

  /// Makes an array of a collection that may be long, in a pass that does little for each element.
  @inline(__always)
  func map<Elements: Collection, Result>(
    _ elements: Elements, _ transform: (Elements.Element) throws -> Result
  ) throws -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(elements.count)
    try forEach(elements) { results.append(try transform($0)) }
    return results
  }

  /// Goes over a collection that may be long, in a pass that does little for each element.
  @inline(__always)
  func forEach<Elements: Collection>(
    _ elements: Elements, _ body: (Elements.Element) throws -> Void
  ) throws {
    var elementCount = 0
    for element in elements {
      if elementCount & (Self.elementsOfStep - 1) == 0 { try count() }
      elementCount &+= 1
      try body(element)
    }
  }
}
