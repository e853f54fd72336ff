import InstantSearchJSON

/// A failure as an error.
struct HitFailureBox: Error {
  let failure: HitFailure
}

/// The hits in a container of any decoder, one after the other.
struct ContainedHits {
  private var container: any UnkeyedDecodingContainer

  init(_ container: any UnkeyedDecodingContainer) { self.container = container }

  var count: Int { container.count ?? 0 }
  var isAtEnd: Bool { container.isAtEnd }

  /// Reads the next hit, or passes over it and tells why it cannot be read.
  ///
  /// - Parameter position: The hit's rank, for the failure, where it is known.
  mutating func next<Record: Decodable>(
    _ type: Record.Type, position: Int?
  ) throws(HitFailureBox) -> Record {
    let index = container.currentIndex
    let path = container.codingPath
    do {
      // A type may be able to read null, but a null is no hit.
      if try container.decodeNil() { throw Self.null(at: path + [JSONCodingKey(index: index)]) }
      return try container.decode(type)
    } catch {
      // A failed attempt leaves the container where it was, so the hit is passed over by reading it
      // as something that fits everything.
      var objectID: String?
      if container.currentIndex == index {
        objectID = try? container.decode(ObjectIDProbe.self).objectID
      }
      throw HitFailureBox(
        failure: HitFailure(
          DecodingProblem(error), below: DecodingProblem.steps(path) + [String(index)],
          position: position, objectID: objectID))
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
