import SearchJSON

/// Gives the hits of a page one after the other, whichever coder reads them.
protocol HitSource {
  /// The number of hits, as far as it is known.
  var count: Int { get }
  /// Whether all hits have been given.
  var isAtEnd: Bool { get }
  /// Reads the next hit, or passes over it and tells why it cannot be read.
  ///
  /// - Parameter position: The hit's rank, for the failure, where it is known.
  mutating func next<Record: Decodable>(
    _ type: Record.Type, position: Int?
  ) -> Result<Record, HitFailureBox>
  /// The same for a record that reads itself from the tape, where there is one.
  mutating func nextStamped<Record: StampedRecord>(
    _ type: Record.Type, position: Int?
  ) -> Result<Record, HitFailureBox>
}

extension HitSource {
  mutating func nextStamped<Record: StampedRecord>(
    _ type: Record.Type, position: Int?
  ) -> Result<Record, HitFailureBox> {
    next(type, position: position)
  }
}

/// A failure as an error, which `Result` asks for.
struct HitFailureBox: Error {
  let failure: HitFailure
}

/// Hits that are elements of an array in a document.
struct NodeHitSource: HitSource {
  private let session: DecodingSession
  private let depth: Int
  private var elements: JSONChildren
  private var next: Int?
  let count: Int

  init(at array: Int, in session: DecodingSession, depth: Int) {
    self.session = session
    self.depth = depth
    elements = session.document.elements(at: array)
    count = session.document.count(at: array)
    next = elements.nextElement(in: session.document)
  }

  var isAtEnd: Bool { next == nil }

  mutating func next<Record: Decodable>(
    _ type: Record.Type, position: Int?
  ) -> Result<Record, HitFailureBox> {
    next(position) { try $0.value(type, at: $1, depth: $2) }
  }

  mutating func nextStamped<Record: StampedRecord>(
    _ type: Record.Type, position: Int?
  ) -> Result<Record, HitFailureBox> {
    next(position) { try Record(at: $1, in: $0, depth: $2) }
  }

  private mutating func next<Record>(
    _ position: Int?, _ read: (DecodingSession, Int, Int) throws -> Record
  ) -> Result<Record, HitFailureBox> {
    let index = next ?? 0
    next = elements.nextElement(in: session.document)
    do {
      if session.document.kind(at: index) == .null {
        throw session.node(at: index).mismatch([String: Any].self)
      }
      return .success(try read(session, index, depth + 2))
    } catch {
      return .failure(
        HitFailureBox(
          failure: HitFailure(error, of: session.node(at: index), position: position)))
    }
  }
}

/// Hits in a container of any decoder.
struct ContainerHitSource: HitSource {
  private var container: any UnkeyedDecodingContainer

  init(_ container: any UnkeyedDecodingContainer) { self.container = container }

  var count: Int { container.count ?? 0 }
  var isAtEnd: Bool { container.isAtEnd }

  mutating func next<Record: Decodable>(
    _ type: Record.Type, position: Int?
  ) -> Result<Record, HitFailureBox> {
    let index = container.currentIndex
    let path = container.codingPath
    do {
      // A type may be able to read null, but a null is no hit.
      if try container.decodeNil() { throw Self.null(at: path + [JSONCodingKey(index: index)]) }
      return .success(try container.decode(type))
    } catch {
      // A failed attempt leaves the container where it was, so the hit is passed over by reading it
      // as something that fits everything.
      var objectID: String?
      if container.currentIndex == index {
        objectID = try? container.decode(ObjectIDProbe.self).objectID
      }
      return .failure(
        HitFailureBox(
          failure: HitFailure(
            DecodingProblem(error), below: DecodingProblem.steps(path) + [String(index)],
            position: position, objectID: objectID)))
    }
  }

  private static func null(at path: [any CodingKey]) -> DecodingError {
    .valueNotFound(
      [String: Any].self,
      DecodingError.Context(codingPath: path, debugDescription: "a hit must not be null"))
  }

  /// The ID of any record, if it has one.
  private struct ObjectIDProbe: Decodable {
    let objectID: String?

    init(from decoder: any Decoder) throws { objectID = try? HitMembers(decoder).objectID }
  }
}
