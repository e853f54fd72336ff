import InstantSearchJSON

/// Types decoded from any text, compared with Foundation, with errors whose paths lead to the
/// cause.
enum DecodingProperties {
  static func violations(
    of text: [UInt8], probes: [any Probe], options: UInt8, seed: UInt8
  ) -> [String] {
    let coders = CoderPair(options: Int(options) % CoderPair.combinations)
    let value = try? ReferenceReader.read(text)
    let isComparable = value.map { self.isComparable($0, of: text, options) } ?? true
    var violations: [String] = []
    // A few types for each input.
    for (index, probe) in probes.enumerated() where (index + Int(seed)) % 4 == 0 {
      let pair = probe.decode(text, with: coders)
      if case .failure(let error as DecodingError) = pair.ours {
        violations += self.violations(of: error, in: value, coders).map { "\(probe.name): \($0)" }
      }
      guard let value else {
        if case .success = pair.ours {
          violations.append("\(probe.name) decoded from invalid JSON")
        }
        continue
      }
      // A scalar is also read with its surroundings.
      if isComparable, let difference = pair.difference(isValid: true) {
        violations.append("\(probe.name), \(coders): \(difference), of \(value.range)")
      }
    }
    return violations
  }

  static func violationsOfCalls(of text: [UInt8], options: UInt8, seed: UInt8) -> [String] {
    let coders = CoderPair(options: Int(options) % CoderPair.combinations, seed: UInt64(seed))
    guard let value = try? ReferenceReader.read(text) else { return [] }
    if isComparable(value, of: text, options) { return RandomCalls.differences(in: text, coders) }
    // Not compared, but performed.
    if var calls = try? coders.ours.decode(RandomCalls.self, from: text) { calls.goOn() }
    return []
  }

  /// Whether both decoders must give the same outcomes for any calls.
  private static func isComparable(
    _ value: ReferenceValue, of text: [UInt8], _ options: UInt8
  ) -> Bool {
    guard FoundationDifference.possible(in: value, of: text).isEmpty else { return false }
    let options = Int(options) % CoderPair.combinations
    for value in value.all {
      switch value.content {
      case .object(let members) where options / 5 % 2 == 1:
        // Keys that are equal after conversion, of which the first or the last can win.
        let names = Set(members.map { $0.name.replacing("_", with: "").lowercased() })
        if names.count < members.count { return false }
      case .string(let string):
        let string = String(decoding: string, as: UTF8.self)
        if options / 10 % 2 == 1, string.hasSuffix("inf") || string.hasSuffix("nan") {
          return false
        }
        if options % 5 == 1, string.prefix(4).allSatisfy(\.isNumber) { return false }
      default: break
      }
    }
    return true
  }

  // MARK: - Paths

  /// Whether an error's path leads to a value, or to a missing one.
  private static func violations(
    of error: DecodingError, in value: ReferenceValue?, _ coders: CoderPair
  ) -> [String] {
    let context: DecodingError.Context
    switch error {
    case .dataCorrupted(let found), .keyNotFound(_, let found), .typeMismatch(_, let found),
      .valueNotFound(_, let found):
      context = found
    @unknown default: return ["an unknown error"]
    }
    guard let value else {
      return context.codingPath.isEmpty && context.underlyingError is JSONError
        ? [] : ["an error inside what is no JSON: \(error)"]
    }
    // Converted keys differ from those of the text.
    if case .convertFromSnakeCase = coders.ours.options.keys { return [] }
    let path = context.codingPath.map { step in
      step.intValue.map { step.stringValue == "Index \($0)" ? "\($0)" : step.stringValue }
        ?? step.stringValue
    }
    return leads(path, into: value) ? [] : ["no value at \(path)"]
  }

  /// Whether a path ends at a value, or at a container in which its last step is missing. Elements
  /// are named by index.
  static func leads(_ path: [String], into value: ReferenceValue) -> Bool {
    var value = value
    for (index, step) in path.enumerated() {
      let isLast = index == path.count - 1
      switch value.content {
      case .array(let elements):
        guard let position = Int(step), position >= 0, position <= elements.count else {
          return false
        }
        guard position < elements.count else { return isLast }
        value = elements[position]
      case .object:
        guard let member = value.currentMembers.first(where: { $0.name == step }) else {
          return isLast
        }
        value = member.value
      default: return false
      }
    }
    return true
  }
}
