extension Filter {
  /// The filter as a string of the parameters with nested lists.
  ///
  /// A facet is `attribute:value`, `attribute:-value` when it is negated; a minus sign that begins
  /// the value itself has a backslash before it. Nothing else can be escaped there.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for what has no such form.
  func listString() throws(SearchError) -> String {
    switch self {
    case .facet(let filter): try filter.listString()
    case .numeric(let filter): try filter.listString()
    case .tag(let filter): try filter.listString()
    }
  }
}

extension Filter.Facet {
  /// `attribute:value<score=N>`.
  ///
  /// A value that ends with what a score looks like is followed by a score in any case, so that
  /// only the last one is read as such; 1 is the score of a filter without one.
  func listString() throws(SearchError) -> String {
    guard !attribute.rawValue.isEmpty, !attribute.rawValue.unicodeScalars.contains(":") else {
      throw attribute.unnamable
    }
    if case .number(let number) = value { try attribute.check(number) }
    let text = value.text
    let suffix = score == nil && text.endsLikeAScore ? scored(1).scoreSuffix : scoreSuffix
    return "\(attribute):\(try text.signed(isNegated: isNegated))\(suffix)"
  }
}

extension Filter.Numeric {
  /// `attribute < number` or `attribute:number TO number`.
  ///
  /// A condition is not turned round by the opposite sign: `NOT price > 10` finds records without a
  /// price, `price <= 10` does not.
  fileprivate func listString() throws(SearchError) -> String {
    let name = attribute.rawValue.unicodeScalars
    guard let first = name.first, !first.properties.isWhitespace,
      let last = name.last, !last.properties.isWhitespace,
      !name.contains(where: { "<>=!:".unicodeScalars.contains($0) })
    else { throw attribute.unnamable }
    guard !isNegated else {
      throw SearchError(
        .invalidRequest,
        """
        A list of filters cannot negate the condition on the number "\(attribute)". Use the opposite \
        comparison, or send the groups as the parameter filters (FilterGroups.text).
        """)
    }
    switch value {
    case .comparison(let comparison, let number):
      try attribute.check(number)
      return "\(attribute) \(comparison.rawValue) \(number.plainNumber)"
    case .range(let range):
      try attribute.check(range.lowerBound)
      try attribute.check(range.upperBound)
      return "\(attribute):\(range.lowerBound.plainNumber) TO \(range.upperBound.plainNumber)"
    }
  }
}

extension Filter.Tag {
  /// `tag` or `-tag`; an empty string says nothing there.
  fileprivate func listString() throws(SearchError) -> String {
    guard !value.isEmpty else {
      throw SearchError(
        .invalidRequest,
        "A list of filters cannot name an empty tag. Remove it, or give it a name.")
    }
    return try value.signed(isNegated: isNegated)
  }
}

extension Attribute {
  /// The error for a name that would be read otherwise.
  fileprivate var unnamable: SearchError {
    SearchError(
      .invalidRequest,
      """
      A list of filters cannot name the attribute "\(self)": it is empty, or has a colon, a sign of \
      comparison or outer spaces. Send the groups as the parameter filters (FilterGroups.text), where \
      names stand in quotes, or rename the attribute.
      """)
  }

  /// Refuses a number of this attribute that has no digits.
  fileprivate func check(_ number: Double) throws(SearchError) {
    guard number.isFinite else {
      throw SearchError(
        .invalidRequest,
        """
        A list of filters cannot say \(number) of the attribute "\(self)": only finite numbers can be \
        compared. Leave the filter out, or give it a finite bound.
        """)
    }
  }
}

// Signs are compared as Unicode scalars: with what follows them they may make one character.
extension String {
  /// The text with a minus sign before it when it is negated; a sign of its own gets a backslash.
  fileprivate func signed(isNegated: Bool) throws(SearchError) -> String {
    guard !unicodeScalars.starts(with: #"\-"#.unicodeScalars) else {
      throw SearchError(
        .invalidRequest,
        """
        In a list of filters the backslash of "\(self)" would be lost. Send the groups as the parameter \
        filters (FilterGroups.text), where values stand in quotes.
        """)
    }
    let escaped = unicodeScalars.first == "-" ? #"\"# + self : self
    return isNegated ? "-" + escaped : escaped
  }

  /// Whether the end of the text would be read as a score, or as a wrong one.
  fileprivate var endsLikeAScore: Bool {
    unicodeScalars.last == ">"
      && Array(unicodeScalars).contains(Array("<score=".unicodeScalars))
  }
}
