import InstantSearchJSON

extension JSONDocument {
  /// All members of an object by key, each read once.
  ///
  /// - Parameters:
  ///   - index: The object.
  ///   - numbers: What ``ObjectShapes`` knows of the object; with it no key is hashed.
  ///   - value: The value of the member at an index.
  func members<Value>(
    ofObjectAt index: Int, numbers: [String: Int]?, _ value: (_ index: Int) -> Value
  ) -> [String: Value] {
    guard let numbers else {
      var members = [String: Value](minimumCapacity: count(at: index))
      forEachMember(ofObjectAt: index) { members[key(of: $0)] = value($0) }
      return members
    }
    // With few members, going to each from the first is as fast as keeping the places of all.
    var places: [Int] = []
    if numbers.count > 8 {
      places.reserveCapacity(numbers.count)
      forEachMember(ofObjectAt: index) { places.append($0) }
    }
    return numbers.mapValues { number in
      // There are as many members as numbers, so each number is that of a member.
      value(places.isEmpty ? member(number, ofObjectAt: index) ?? index : places[number])
    }
  }
}
