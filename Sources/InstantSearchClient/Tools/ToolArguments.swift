/// The arguments of a tool, read with a check of every value.
struct ToolArguments: Sendable {
  private let members: [String: JSON]

  /// The longest text of an argument, in bytes: the longest query of the contract.
  static let maximumTextLength = 512

  /// Reads the arguments.
  ///
  /// - Parameter names: The names that the tool knows.
  init(_ arguments: JSON, names: [String]) throws(ToolMistake) {
    guard let members = arguments.isNull ? [:] : arguments.objectValue else {
      throw ToolMistake("The arguments must be an object.")
    }
    let known = Set(names)
    if let unknown = members.keys.filter({ !known.contains($0) }).min() {
      throw ToolMistake(
        "There is no argument \(Self.quoted(unknown)). The arguments are: "
          + names.joined(separator: ", ") + ".")
    }
    // A model may send null for what it leaves out.
    self.members = members.filter { !$0.value.isNull }
  }

  /// The argument as it was given; `nil` without one.
  subscript(name: String) -> JSON? { members[name] }

  /// A text; `nil` without one.
  func text(_ name: String) throws(ToolMistake) -> String? {
    guard let value = members[name] else { return nil }
    guard let text = value.stringValue else {
      throw ToolMistake("\(name) must be a text, such as \"a\".")
    }
    try Self.check(text, of: name)
    return text
  }

  /// A text that the tool needs.
  func requiredText(_ name: String) throws(ToolMistake) -> String {
    guard let text = try text(name), !text.isEmpty else {
      throw ToolMistake("The argument \(name) is missing: it must be a text that is not empty.")
    }
    return text
  }

  /// The position of one of some texts; `nil` without one.
  func choice(_ name: String, of values: [String]) throws(ToolMistake) -> Int? {
    guard let text = try text(name) else { return nil }
    return try Self.position(of: text, in: values, name)
  }

  /// The position of one of some texts that the tool needs.
  func requiredChoice(_ name: String, of values: [String]) throws(ToolMistake) -> Int {
    try Self.position(of: try requiredText(name), in: values, name)
  }

  /// One of some indices.
  func index(of indices: [SearchTool.Index]) throws(ToolMistake) -> SearchTool.Index {
    indices[try requiredChoice("indexName", of: indices.map(\.name))]
  }

  /// An integer in a range; `nil` without one.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(ToolMistake) -> Int? {
    guard let value = members[name] else { return nil }
    guard let number = value.intValue, range.contains(number) else {
      throw ToolMistake(
        "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// A list of some texts; `nil` without one.
  func choices(_ name: String, of values: [String]?) throws(ToolMistake) -> [String]? {
    guard let value = members[name] else { return nil }
    guard let elements = value.arrayValue else {
      throw ToolMistake("\(name) must be a list of texts, such as [\"a\", \"b\"].")
    }
    try Self.check(elements.count, of: name)
    var texts: [String] = []
    for element in elements {
      guard let text = element.stringValue else {
        throw ToolMistake("\(name) must be a list of texts, such as [\"a\", \"b\"].")
      }
      try Self.check(text, of: name)
      if let values { _ = try Self.position(of: text, in: values, name) }
      texts.append(text)
    }
    return texts
  }

  // MARK: Checks

  /// The most elements of a list.
  static let maximumCount = 20

  /// Checks the number of elements of a list.
  static func check(_ count: Int, of name: String) throws(ToolMistake) {
    guard count <= maximumCount else {
      throw ToolMistake("\(name) has \(count) elements. Send at most \(maximumCount).")
    }
  }

  /// Checks the length of a text.
  static func check(_ text: String, of name: String) throws(ToolMistake) {
    guard text.utf8.count <= maximumTextLength else {
      throw ToolMistake(
        "\(name) has a text of \(text.utf8.count) bytes. Send at most \(maximumTextLength).")
    }
  }

  /// Returns the position of a text that must be one of some texts. They are compared by their
  /// bytes, as names of attributes are.
  private static func position(
    of text: String, in values: [String], _ name: String
  ) throws(ToolMistake) -> Int {
    guard let position = values.firstIndex(where: { $0.utf8.elementsEqual(text.utf8) }) else {
      throw ToolMistake(
        "\(name) cannot be \(quoted(text)). The values are: \(values.joined(separator: ", ")).")
    }
    return position
  }

  /// A short text in quotes, on one line, as it was given.
  static func quoted(_ text: String) -> String {
    let most = 60
    let shown = text.unicodeScalars.prefix(most)
    let rest = shown.count < text.unicodeScalars.count ? "…" : ""
    return JSON.string(String(String.UnicodeScalarView(shown)) + rest).text
  }
}
