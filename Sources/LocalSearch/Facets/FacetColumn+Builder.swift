import InstantSearchJSON

extension FacetColumn {
  /// Collects the values of one facet.
  struct Builder {
    /// What makes two numbers the same value.
    private enum NumberKey: Hashable, Sendable {
      /// The number itself, where a `Double` tells all integers apart.
      case exact(Double)
      /// The canonical text of a number so large that integers beside it have the same `Double`.
      case text(String)
    }

    private var values: [Value] = []
    /// The texts, told apart by their bytes, and the value of each.
    private var texts = TermTable()
    private var textPlaces: [UInt32] = []
    private var numberPlaces = PartitionedDictionary<NumberKey, UInt32>()
    private var pairs: [(document: UInt32, value: UInt32)] = []

    /// Adds a string, a number or a boolean; anything else is no facet value.
    mutating func add(document: Int, _ node: JSONNode, _ checkpoint: Checkpoint) throws {
      guard let place = try place(of: node, checkpoint) else { return }
      pairs.append((UInt32(clamping: document), place))
    }

    private mutating func place(
      of node: JSONNode, _ checkpoint: Checkpoint
    ) throws -> UInt32? {
      if node.kind == .number {
        guard let value = node.double, value.isFinite else { return nil }
        // Zero has one sign only.
        let number = value + 0
        let key =
          number.magnitude < Value.firstAmbiguousInteger
          ? NumberKey.exact(number) : .text(Value.text(of: node))
        if let known = numberPlaces[key] { return known }
        let place = append(Value(text: Value.text(of: node), number: number))
        try numberPlaces.set(place, for: key, checkpoint)
        return place
      }
      guard let text = node.string ?? node.bool.map({ $0 ? "true" : "false" }) else { return nil }
      return try place(ofText: text, checkpoint)
    }

    private mutating func place(
      ofText text: String, _ checkpoint: Checkpoint
    ) throws -> UInt32 {
      let bytes = Array(text.utf8)
      try checkpoint.count(bytes: bytes.count)
      let number = try texts.intern(bytes, bytes.indices, checkpoint)
      if number < textPlaces.count { return textPlaces[number] }
      let place = append(Value(text: text, number: nil))
      textPlaces.append(place)
      return place
    }

    private mutating func append(_ value: Value) -> UInt32 {
      values.append(value)
      return UInt32(clamping: values.count - 1)
    }

    /// The finished column over so many documents.
    func build(count: Int, _ checkpoint: Checkpoint) throws -> FacetColumn {
      try FacetColumn(values: values, pairs: pairs, count: count, checkpoint)
    }
  }
}

extension FacetColumn.Value {
  /// The first integer that has the same `Double` as its neighbour, 2 to the power of 53.
  static let firstAmbiguousInteger = 9_007_199_254_740_992.0

  /// The canonical text of a number, by which it is shown and found: an integer without a fraction
  /// and with all its digits.
  static func text(of node: JSONNode) -> String {
    node.int64.map { String($0) } ?? node.uint64.map { String($0) }
      ?? text(ofNumber: node.double ?? 0)
  }

  /// The canonical text of the number that a filter spells; `nil` when it spells none.
  static func text(ofNumberSpelled spelling: String) -> String? {
    guard let number = FilterNumber.parse(spelling) else { return nil }
    if number.magnitude < firstAmbiguousInteger { return text(ofNumber: number) }
    if let integer = Int64(spelling) { return String(integer) }
    if let integer = UInt64(spelling) { return String(integer) }
    let unsigned = spelling.first == "+" ? spelling.dropFirst() : spelling[...]
    let node = (try? JSONDocument(Array(unsigned.utf8)))?.root
    return node.map { text(of: $0) } ?? text(ofNumber: number)
  }

  private static func text(ofNumber number: Double) -> String {
    Int64(exactly: number).map { String($0) } ?? String(number)
  }
}
