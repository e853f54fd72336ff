/// Parameters and settings that are valid but have no effect.
///
/// Responses report them in `message`. If ``EngineConfiguration/rejectsMistakes``
/// is set, they are errors.
struct Mistakes: Sendable, Hashable {
  /// The reported mistakes, in the order of their discovery.
  private var texts: [String] = []
  /// The number of further mistakes.
  private var moreCount = 0

  /// The maximum number of reported mistakes.
  private static let maximumCount = 5

  /// Adds a mistake. Its text is made only if it is reported.
  mutating func note(_ text: @autoclosure () throws -> String) rethrows {
    if texts.count < Self.maximumCount {
      texts.append(try text().excerpt(500))
    } else {
      moreCount += 1
    }
  }

  /// The text for the response, or `nil` without mistakes.
  var message: String? {
    guard !texts.isEmpty else { return nil }
    let sentences = texts + (moreCount > 0 ? ["And \(moreCount) more"] : [])
    return sentences.reduce("") { message, sentence in
      if message.isEmpty { return sentence }
      return message + (message.hasSuffix("?") ? " " : ". ") + sentence
    }
  }
}

extension IndexSettings {
  /// Adds the settings that are not part of the contract.
  func noteUnknownSettings(in mistakes: inout Mistakes) {
    let names = ContractName.names(in: .setting)
    for name in additionalSettings.keys.sorted() where !names.contains(name) {
      mistakes.note(
        "There is no setting \"\(name)\"" + NearestName.hint(for: name, among: names.sorted()))
    }
  }

  /// Whether `distinct` is set without the attribute that forms the groups.
  func lacksAttribute(for distinct: Distinct) -> Bool {
    distinct.hitsPerGroup > 0 && attributeForDistinct == nil
  }

  /// Adds the mistake of setting `distinct` without its attribute.
  func noteDistinct(_ distinct: Distinct, in mistakes: inout Mistakes) {
    guard lacksAttribute(for: distinct) else { return }
    mistakes.note("distinct has no effect without the setting attributeForDistinct")
  }
}

/// Finds the name that a misspelled one probably means.
enum NearestName {
  /// The maximum length of names that are compared.
  private static let maximumLength = 64
  /// The maximum number of names that are compared.
  private static let maximumCount = 1000
  /// The maximum number of letters that differ.
  static let maximumDistance = 3

  /// Returns `; did you mean "brand"?`, or nothing if no name is near.
  static func hint(for name: String, among names: some Sequence<String>) -> String {
    hint(for: name, among: names) { _ in true }
  }

  /// Returns `; did you mean "brand"?`, or nothing if no wanted name is near.
  static func hint(
    for name: String, among names: some Sequence<String>, where isWanted: (String) throws -> Bool
  ) rethrows -> String {
    try find(name, among: names, where: isWanted).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// Returns the nearest name, the first of equally near ones.
  ///
  /// A third of the letters may differ, at least one and at most three. Case is ignored.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of names that are compared. Defaults to ``maximumCount``.
  ///   - isWanted: Whether a name may be returned. Asked only of near ones.
  static func find(
    _ name: String, among names: some Sequence<String>, limit: Int = maximumCount,
    where isWanted: (String) throws -> Bool
  ) rethrows -> String? {
    guard isShort(name) else { return nil }
    let wanted = Array(name.lowercased().utf8)
    guard !wanted.isEmpty, wanted.count <= maximumLength else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in names.prefix(limit) where isShort(candidate) && candidate != name {
      let letters = Array(candidate.lowercased().utf8)
      guard letters.count <= maximumLength else { continue }
      let distance = distance(wanted, letters)
      guard distance <= min(maximumDistance, max(1, wanted.count / 3)),
        distance < best?.distance ?? .max,
        try isWanted(candidate)
      else { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// Whether a name can be short enough. In lowercase it has at least a third of the bytes.
  private static func isShort(_ name: String) -> Bool { name.utf8.count <= 3 * maximumLength }

  /// Returns the number of letters to add, remove, change or exchange with their neighbors.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for i in left.indices {
      var current = [i + 1]
      for j in right.indices {
        let change = previous[j] + (left[i] == right[j] ? 0 : 1)
        var value = min(change, previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          value = min(value, before[j - 1] + 1)
        }
        current.append(value)
      }
      before = previous
      previous = current
    }
    return previous[right.count]
  }
}
