import InstantSearchJSON

/// A value that is read when it is asked for, from the document it came in.
///
/// It is read anew each time. The document stays in memory as long as any value that may still be
/// read from it: the bytes of the answer and a tape of about the same size.
enum ReadLater<Value: ReadableLater>: Sendable {
  case absent
  /// The value at an index of an answer's tape.
  case written(HitAnswer, index: Int)
  indirect case value(Value)

  init(_ value: Value?) { self = value.map(ReadLater.value) ?? .absent }

  /// The value at an index of an answer's tape, if there is one.
  init(_ index: Int?, of answer: HitAnswer) {
    self = index.map { .written(answer, index: $0) } ?? .absent
  }

  /// The value; `nil` when there is none, or none of the documented shape.
  var value: Value? {
    switch self {
    case .absent: nil
    case .written(let answer, let index):
      Value(at: index, of: answer)
    case .value(let value): value
    }
  }
}

extension ReadLater: Hashable {
  static func == (left: ReadLater, right: ReadLater) -> Bool { left.value == right.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// Metadata of a hit that can be read from its place in the answer.
protocol ReadableLater: Sendable, Hashable {
  /// Reads the value; `nil` for one of another shape than the documented.
  init?(at index: Int, of answer: HitAnswer)
}
