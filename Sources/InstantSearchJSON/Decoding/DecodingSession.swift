/// What the decoders and containers of one decoding call share.
///
/// Values are named by their tape index. A negative index names the value of an absent key, which a
/// superclass may still be decoded from: it reads as `null`, and its path is kept here.
package final class DecodingSession {
  /// The document that is decoded.
  package let document: JSONDocument
  /// The choices JSON leaves.
  package let options: JSONDecodingOptions
  let convertsKeys: Bool
  /// Where the next key is expected, by the depth of the object.
  let expectedKeys = ExpectedKeys()
  /// How the types met so far are decoded.
  let ways = DecodingWays()
  /// The members by converted key of the objects read so far, when keys are converted.
  private var convertedMembers: [Int: [String: Int]] = [:]
  /// The paths of absent values.
  private var absentPaths: [[any CodingKey]] = []
  /// The objects decoded as dictionaries, whose keys stay as they are, while other keys change.
  private var dictionaries: Set<Int> = []

  /// Begins the decoding of values of a document.
  package init(document: JSONDocument, options: JSONDecodingOptions) {
    self.document = document
    self.options = options
    convertsKeys = options.convertsKeys
  }

  /// The word of a value; `null` for an absent one.
  @inline(__always)
  func word(at index: Int) -> JSONWord {
    index >= 0 ? document.word(at: index) : JSONWord(.null, size: 0, offset: 0)
  }

  /// Whether the value is null or absent.
  @inline(__always)
  func isNull(at index: Int) -> Bool { word(at: index).kind == .null }

  /// The node of a value.
  package func node(at index: Int) -> JSONNode {
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

  /// Remembers that the object's keys are converted, as they are in keyed containers.
  func markConverted(at index: Int) {
    if convertsKeys { dictionaries.remove(index) }
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

  /// The value of `key` in an object; nil where there is none.
  ///
  /// The search starts behind the key that was found last, so members asked for in the order of the
  /// text are found at once. The place is only a hint: whatever it says, the answer is the last
  /// member with the key.
  func value(of key: String, inObjectAt object: Int, depth: Int) -> Int? {
    if convertsKeys { return members(ofObjectAt: object)[key] }
    let hint = expectedKeys.key(inObjectAt: object, depth: depth)
    guard let value = document.value(of: key, inObjectAt: object, from: hint) else { return nil }
    expectedKeys.expect(document.tape.end(of: value), inObjectAt: object, depth: depth)
    return value
  }

  /// The members of an object by converted key; of equal converted keys the last counts.
  func members(ofObjectAt object: Int) -> [String: Int] {
    if let members = convertedMembers[object] { return members }
    var members: [String: Int] = [:]
    var children = document.members(at: object)
    while let value = children.next(in: document) {
      members[SnakeCase.camelCase(document.key(of: value))] = value
    }
    convertedMembers[object] = members
    return members
  }
}
