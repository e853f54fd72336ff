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
