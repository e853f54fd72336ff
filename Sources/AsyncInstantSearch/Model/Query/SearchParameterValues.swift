/// The parameters that are set, packed: what is not set takes no room and no time.
///
/// A bit per parameter says whether it is set; the number of bits below it is the place of its
/// value. A copy costs one retain however many parameters there are.
struct SearchParameterValues: Sendable {
  private var present: UInt128 = 0
  private var values: [any SearchParameterValue] = []

  /// Whether nothing is set.
  var isEmpty: Bool { present == 0 }

  /// The parameters that are set, by name.
  var parameters: [SearchParameter] {
    var parameters: [SearchParameter] = []
    forEach { parameter, _ in parameters.append(parameter) }
    return parameters
  }

  /// Calls the body with each parameter that is set, by name.
  func forEach(_ body: (SearchParameter, any SearchParameterValue) -> Void) {
    var rest = present
    // By index, because a loop over the elements would copy each of them.
    for index in values.indices {
      if let parameter = SearchParameter(rawValue: rest.trailingZeroBitCount) {
        body(parameter, values[index])
      }
      rest &= rest &- 1
    }
  }

  /// The value of one parameter; `nil` when it is not set.
  subscript(parameter: SearchParameter) -> (any SearchParameterValue)? {
    get {
      let bit = bit(parameter)
      return present & bit == 0 ? nil : values[place(bit)]
    }
    set {
      let bit = bit(parameter)
      let place = place(bit)
      switch (present & bit != 0, newValue) {
      case (true, let value?):
        values[place] = value
      case (false, let value?):
        values.insert(value, at: place)
        present |= bit
      case (true, nil):
        values.remove(at: place)
        present &= ~bit
      case (false, nil):
        break
      }
    }
  }

  private func bit(_ parameter: SearchParameter) -> UInt128 { 1 &<< UInt128(parameter.rawValue) }

  private func place(_ bit: UInt128) -> Int { (present & (bit &- 1)).nonzeroBitCount }
}

extension SearchParameterValues: Hashable {
  static func == (left: Self, right: Self) -> Bool {
    guard left.present == right.present else { return false }
    for (value, other) in zip(left.values, right.values) where !value.isEqual(to: other) {
      return false
    }
    return true
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(present)
    for value in values { value.hash(into: &hasher) }
  }
}
