/// What the decoders and containers of one decoding call share.
///
/// Values are named by their tape index. A negative index names the value of an absent key, which a
/// superclass may still be decoded from: it reads as `null`, and its path is kept here.
final class DecodingSession {
  let document: JSONDocument
  let options: JSONDecodingOptions
  let convertsKeys: Bool
  /// For each depth the key that is expected next, a tape index.
  private var expectedKeys: [Int] = []
  /// The paths of absent values.
  private var absentPaths: [[any CodingKey]] = []
  /// The objects decoded as dictionaries, whose keys stay as they are, while other keys change.
  private var dictionaries: Set<Int> = []

  init(document: JSONDocument, options: JSONDecodingOptions) {
    self.document = document
    self.options = options
    convertsKeys = options.convertsKeys
  }

  /// The word of a value; `null` for an absent one.
  func word(at index: Int) -> JSONWord {
    index >= 0 ? document.tape[index] : JSONWord(.null, size: 0, offset: 0)
  }

  /// Whether the value is null or absent.
  func isNull(at index: Int) -> Bool { word(at: index).kind == .null }

  /// The node of a value.
  func node(at index: Int) -> JSONNode {
    index >= 0 ? JSONNode(document: document, index: index) : JSONDocument.null.root
  }

  /// Makes an index for a value that is not there.
  func absentValue(path: [any CodingKey]) -> Int {
    absentPaths.append(path)
    return -absentPaths.count
  }

  /// Remembers that the object's keys are not converted.
  func markDictionary(at index: Int) {
    if convertsKeys { dictionaries.insert(index) }
  }

  /// The path to a value, computed from the tape; keys are named as the containers name them.
  func path(to index: Int) -> [any CodingKey] {
    guard index >= 0 else { return absentPaths[-1 - index] }
    return document.steps(to: index).map { step in
      if convertsKeys, !dictionaries.contains(step.container) {
        return document.codingKey(of: step, rename: SnakeCase.camelCase)
      }
      return document.codingKey(of: step)
    }
  }

  // MARK: - Members

  /// The value of `key` in an object.
  ///
  /// The search starts behind the key that was found last at this depth, so members asked for in
  /// the order of the text are found at once. The cursor is only a hint: whatever it says, the
  /// answer is the last member with the key.
  func value(of key: String, inObjectAt object: Int, depth: Int) -> Int? {
    let word = word(at: object)
    guard word.kind == .object else { return nil }
    var hint = word.offset
    if depth < expectedKeys.count {
      let expected = expectedKeys[depth]
      if expected > hint, expected < hint + 2 * word.size { hint = expected }
    }
    guard let value = document.value(of: key, inObjectAt: object, from: hint) else { return nil }
    while expectedKeys.count <= depth { expectedKeys.append(0) }
    expectedKeys[depth] = value + 1
    return value
  }

  /// The members of an object by converted key; of equal converted keys the last counts.
  func convertedMembers(ofObjectAt object: Int) -> [String: Int] {
    var members: [String: Int] = [:]
    for key in document.keys(ofObjectAt: object) {
      members[SnakeCase.camelCase(document.text(at: key))] = key + 1
    }
    return members
  }
}

extension JSONDocument {
  /// The document `null`.
  static let null = JSONDocument(
    bytes: Array("null".utf8), tape: [JSONWord(.null, size: 4, offset: 0)])
}
