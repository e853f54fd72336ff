/// Which of the types of one decoding call read themselves from the tape.
///
/// That is a question to the runtime which takes longer than reading a string, so the answers are
/// kept.
final class DecodingWays {
  private var known: [(type: ObjectIdentifier, tapeType: (any TapeDecodable.Type)?)] = []

  /// The type as one that reads itself from the tape; nil for any other.
  func tapeType(of type: any Decodable.Type) -> (any TapeDecodable.Type)? {
    let identifier = ObjectIdentifier(type)
    for entry in known where entry.type == identifier { return entry.tapeType }
    let tapeType = type as? any TapeDecodable.Type
    // A call meets a handful of types; what comes later, where there are many, is asked for again.
    if known.count < 16 { known.append((identifier, tapeType)) }
    return tapeType
  }
}
