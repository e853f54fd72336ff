import SearchJSON

/// A member has no value.
private struct IsLeftOut: Error {}

extension JSONDocument {
  /// The members of an object by key; those without a value are left out.
  ///
  /// - Parameters:
  ///   - index: The object.
  ///   - numbers: What ``ObjectShapes`` knows of the object; with it no key is hashed.
  ///   - value: The value of the member at an index.
  func members<Value>(
    ofObjectAt index: Int, numbers: [String: Int]?, _ value: (_ index: Int) -> Value?
  ) -> [String: Value] {
    if let numbers {
      // With few members, going to each from the first is as fast as keeping the places of all.
      var places: [Int] = []
      if numbers.count > 8 {
        places.reserveCapacity(numbers.count)
        forEachMember(ofObjectAt: index) { places.append($0) }
      }
      let members = try? numbers.mapValues { number in
        let place = places.isEmpty ? member(number, ofObjectAt: index) : places[number]
        guard let place, let value = value(place) else { throw IsLeftOut() }
        return value
      }
      if let members { return members }
    }
    var members = [String: Value](minimumCapacity: count(at: index))
    forEachMember(ofObjectAt: index) { member in
      if let value = value(member) { members[key(of: member)] = value }
    }
    return members
  }
}
