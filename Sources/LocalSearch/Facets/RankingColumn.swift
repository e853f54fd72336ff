import InstantSearchJSON

/// The value by which a document is ordered in `asc(attribute)` and `desc(attribute)`.
enum RankingValue: Sendable, Hashable {
  /// Absent, `null`, an array or an object: last in either direction.
  case missing
  case bool(Bool)
  case number(Double)
  /// The first 50 bytes of a text.
  case string([UInt8])

  /// How many bytes of a text count.
  static let maximumLength = 50

  /// The value of a scalar; anything else is missing.
  init(_ node: JSONNode) {
    switch node.kind {
    case .bool: self = node.bool.map(Self.bool) ?? .missing
    case .number: self = node.double.map(Self.number) ?? .missing
    case .string:
      self = node.string.map { .string(Array($0.utf8.prefix(Self.maximumLength))) } ?? .missing
    case .null, .array, .object: self = .missing
    }
  }
}

/// The values of one attribute of the ranking, one per document.
struct RankingColumn: Sendable {
  private enum Storage: Sendable {
    /// Numbers only; NaN where a document has none.
    case numbers([Double])
    case mixed([RankingValue])
  }

  private let storage: Storage

  /// Packs the values of all documents.
  init(_ values: [RankingValue], _ checkpoint: Checkpoint) throws {
    var numbers: [Double] = []
    numbers.reserveCapacity(values.count)
    for (document, value) in values.enumerated() {
      if document & 15 == 0 { try checkpoint.count() }
      switch value {
      case .missing: numbers.append(.nan)
      case .number(let number): numbers.append(number)
      case .bool, .string:
        storage = .mixed(values)
        return
      }
    }
    storage = .numbers(numbers)
  }

  /// The one facet value of each document; missing where there is none or several.
  init(_ facet: FacetColumn, _ checkpoint: Checkpoint) throws {
    try self.init(
      checkpoint.map(0..<facet.documentCount) { document in
        let values = facet.values(of: document)
        guard values.count == 1, let place = values.first else { return .missing }
        let value = facet.values[Int(place)]
        return value.number.map(RankingValue.number)
          ?? .string(Array(value.text.utf8.prefix(RankingValue.maximumLength)))
      }, checkpoint)
  }

  /// The value of one document.
  subscript(document: Int) -> RankingValue {
    switch storage {
    case .numbers(let numbers):
      let number = numbers[document]
      return number.isNaN ? .missing : .number(number)
    case .mixed(let values): return values[document]
    }
  }
}
