import InstantSearchJSON

/// The group of each document by the value of the attribute of `attributeForDistinct`.
struct DistinctColumn: Sendable {
  /// The distinct values, in the order in which they were met.
  let values: [String]
  private let numbers: [Int32]

  /// Collects the groups.
  struct Builder {
    private var values: [String] = []
    private var places = PartitionedDictionary<String, Int32>()
    private var numbers: [Int32] = []

    /// Sets the group of a document; documents come in ascending order.
    mutating func add(
      document: Int, value node: JSONNode, _ checkpoint: Checkpoint
    ) throws {
      guard numbers.count <= document, let text = Self.text(of: node) else { return }
      while numbers.count < document { numbers.append(-1) }
      if let place = places[text] {
        numbers.append(place)
      } else {
        let place = Int32(clamping: values.count)
        try places.set(place, for: text, checkpoint)
        values.append(text)
        numbers.append(place)
      }
    }

    /// The finished column.
    consuming func build(count: Int) -> DistinctColumn {
      while numbers.count < count { numbers.append(-1) }
      return DistinctColumn(values: values, numbers: numbers)
    }

    /// A string as it is, a number rounded to an integer; nothing else makes a group.
    private static func text(of node: JSONNode) -> String? {
      switch node.kind {
      case .string: return node.string
      case .number:
        guard let number = node.double else { return nil }
        let rounded = number.rounded()
        return Int64(exactly: rounded).map { String($0) } ?? String(rounded)
      default: return nil
      }
    }
  }

  private init(values: [String], numbers: [Int32]) {
    self.values = values
    self.numbers = numbers
  }

  /// The place in `values` of the group of a document; `nil` when it stands alone.
  subscript(document: Int) -> Int? {
    let number = numbers[document]
    return number < 0 ? nil : Int(number)
  }
}
