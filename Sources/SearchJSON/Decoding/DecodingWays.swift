/// How each type of one decoding call is decoded.
///
/// Whether a type reads itself from the tape is a question to the runtime that takes longer than
/// reading a number, so the answers are kept.
final class DecodingWays {
  /// One way to decode a type.
  enum Way {
    /// Through `init(from:)`.
    case codable
    /// From the tape, by this library's types.
    case node(any JSONNodeDecodable.Type)
    /// From the tape, by types of the standard library and Foundation.
    case direct(any DirectlyDecodable.Type)
  }

  private var ways: [(type: ObjectIdentifier, way: Way)] = []

  /// The way to decode a type.
  func way(of type: any Decodable.Type) -> Way {
    let identifier = ObjectIdentifier(type)
    for known in ways where known.type == identifier { return known.way }
    let way: Way
    if let type = type as? any JSONNodeDecodable.Type {
      way = .node(type)
    } else if let type = type as? any DirectlyDecodable.Type {
      way = .direct(type)
    } else {
      way = .codable
    }
    // A call meets a handful of types; what comes later, where there are many, is asked for again.
    if ways.count < 16 { ways.append((identifier, way)) }
    return way
  }
}
