import InstantSearchJSON

/// Compares a document with the same text read by ``ReferenceReader``.
package enum DocumentComparison {
  /// The violations in the result of reading a text: its acceptance, the offset of its error, and
  /// the values of its nodes. Empty if there are none.
  package static func violations(in bytes: [UInt8], maximumDepth: Int = 512) -> [String] {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(bytes, maximumDepth: maximumDepth)
    } catch {
      return violations(of: error, in: bytes, maximumDepth: maximumDepth)
    }
    do throws(ReferenceReader.Refusal) {
      let expected = try ReferenceReader.read(bytes, maximumDepth: maximumDepth)
      return violations(in: document, expected: expected)
    } catch {
      return ["accepted, though wrong at byte \(error.offset)"]
    }
  }

  private static func violations(
    of error: JSONError, in bytes: [UInt8], maximumDepth: Int
  ) -> [String] {
    do throws(ReferenceReader.Refusal) {
      _ = try ReferenceReader.read(bytes, maximumDepth: maximumDepth)
      return ["refused without need: \(error)"]
    } catch let refusal {
      var violations: [String] = []
      if error.offset != refusal.offset {
        violations.append("wrong at byte \(refusal.offset), not as said: \(error)")
      }
      let lines = String(decoding: bytes[..<min(error.offset, bytes.count)], as: Unicode.ASCII.self)
        .unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      if !bytes.contains(UInt8(ascii: "\r")),
        (error.line, error.column) != (lines.count, (lines.last?.count ?? 0) + 1)
      {
        violations.append("line and column do not fit the offset: \(error)")
      }
      if error.message.isEmpty { violations.append("no message") }
      return violations
    }
  }

  /// Compares every node, and looks up the children of objects by key.
  private static func violations(
    in document: JSONDocument, expected: ReferenceValue
  ) -> [String] {
    var violations: [String] = []
    // Paths take time proportional to the depth, which must not accumulate.
    var paths = 200
    var open: [(node: JSONNode, value: ReferenceValue, path: [String])] = [
      (document.root, expected, [])
    ]
    while let (node, value, path) = open.popLast() {
      violations += Self.violations(in: node, expected: value)
        .map { "\($0) at [\(path.joined(separator: "."))]" }
      if violations.count > 5 { break }
      paths -= 1
      if paths > 0 {
        let found = node.codingPath
        if found.map(\.stringValue) != path { violations.append("path \(found), not \(path)") }
      }
      let nodes = Array(node.elements) + node.members.map(\.value)
      for (node, child) in zip(nodes, value.children) {
        open.append((node, child.value, path.count < 20 || paths > 0 ? path + [child.step] : []))
      }
    }
    return violations
  }

  private static func violations(in node: JSONNode, expected: ReferenceValue) -> [String] {
    var violations: [String] = []
    func check(_ condition: Bool, _ message: @autoclosure () -> String) {
      if !condition { violations.append(message()) }
    }
    check(
      node.sourceRange == expected.range, "range \(node.sourceRange), not \(expected.range)")
    check(
      node.source.elementsEqual(node.document.bytes(expected.range)), "source has a wrong range")
    var kind = JSONNode.Kind.null
    var bool: Bool?
    var string: [UInt8]?
    var number: String?
    var elements: [ReferenceValue] = []
    var members: [ReferenceValue.Member] = []
    switch expected.content {
    case .null: break
    case .bool(let value): (kind, bool) = (.bool, value)
    case .number(let text): (kind, number) = (.number, text)
    case .string(let text): (kind, string) = (.string, text)
    case .array(let values): (kind, elements) = (.array, values)
    case .object(let values): (kind, members) = (.object, values)
    }
    check(node.kind == kind, "\(node.kind), not \(kind)")
    check(node.isNull == (kind == .null), "null is \(node.isNull)")
    check(node.bool == bool, "\(node.bool as Any), not \(bool as Any)")
    check(node.string.map { Array($0.utf8) } == string, "\(node.string as Any)")
    check(node.numberText == number, "\(node.numberText as Any), not \(number as Any)")
    check(node.count == elements.count + members.count, "\(node.count) children")
    check(node.elements.count == elements.count, "\(node.elements.count) elements")
    check(node.members.count == members.count, "\(node.members.count) members")
    if let string {
      let text = String(decoding: string, as: UTF8.self)
      check(node.isString(text), "is not equal to its text")
      check(!node.isString(text + "x") && !node.isString("x" + text), "equal to another text")
    }
    check(
      node.double?.bitPattern == number.flatMap(ReferenceNumber.double)?.bitPattern,
      "\(node.double as Any) for \(number as Any)")
    check(
      node.float?.bitPattern == number.flatMap(ReferenceNumber.float)?.bitPattern,
      "\(node.float as Any) for \(number as Any)")
    let integer = number.flatMap(ReferenceNumber.integer)
    check(node.int64 == integer.flatMap { Int64($0) }, "\(node.int64 as Any) for \(number as Any)")
    check(
      node.uint64 == integer.flatMap { UInt64($0) }, "\(node.uint64 as Any) for \(number as Any)")
    check(
      node.integer(Int8.self) == integer.flatMap { Int8($0) },
      "\(node.integer(Int8.self) as Any) for \(number as Any)")
    check(
      node.isWrittenAsInteger == (number.map { !$0.contains { ".eE".contains($0) } } ?? false),
      "written as integer is \(node.isWrittenAsInteger)")
    for (index, element) in elements.enumerated().prefix(100) {
      check(node[index]?.sourceRange == element.range, "element \(index) is another")
    }
    check(node[elements.count] == nil && node[-1] == nil, "an element after the last")
    if case .object = expected.content {
      violations += Self.violations(inObject: node, members: members, expected: expected)
    } else {
      check(node["a"] == nil, "a member of a value that is not an object")
    }
    return violations
  }

  private static func violations(
    inObject node: JSONNode, members: [ReferenceValue.Member], expected: ReferenceValue
  ) -> [String] {
    var violations: [String] = []
    let current = expected.currentMembers
    let currentRanges = Set(current.map(\.keyRange))
    for (found, member) in zip(node.members, members) {
      if Array(found.key.utf8) != member.key { violations.append("key \(found.key)") }
      if !found.hasKey(member.name) || found.hasKey(member.name + "x")
        || found.hasKey("x") != (member.name == "x")
      {
        violations.append("key is not equal to \(member.name)")
      }
      if found.isSuperseded == currentRanges.contains(member.keyRange) {
        violations.append("superseded is \(found.isSuperseded) for \(member.name)")
      }
      if !found.keySource.elementsEqual(node.document.bytes(member.keyRange)) {
        violations.append("source of key \(member.name)")
      }
    }
    if node.currentMembers.map(\.value.sourceRange) != current.map(\.value.range) {
      violations.append("current members differ")
    }
    // Looking up one key skips over all members.
    for member in current.prefix(30) + current.suffix(5)
    where node[member.name]?.sourceRange != member.value.range {
      violations.append("value of \(member.name) is another")
    }
    if !current.contains(where: { $0.name == "no such key" }), node["no such key"] != nil {
      violations.append("an unexpected member")
    }
    return violations
  }
}

/// Numbers as the standard library reads them.
package enum ReferenceNumber {
  /// The nearest double; nil beyond the largest.
  package static func double(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The nearest single-precision value; nil beyond the largest.
  package static func float(_ text: String) -> Float? {
    Float(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The digits of the integer that a number represents exactly, at most 60; nil for any other.
  package static func integer(_ text: String) -> String? {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split { "eE".contains($0) }
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    var digits: Substring = mantissa[0] + fraction
    while digits.first == "0" { digits.removeFirst() }
    guard !digits.isEmpty else { return "0" }
    var zeros = 0
    while digits.last == "0" {
      digits.removeLast()
      zeros += 1
    }
    // An exponent that does not fit cannot be balanced by digits.
    guard let exponent = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
    let (scale, overflow) = exponent.addingReportingOverflow(zeros - fraction.count)
    guard !overflow, scale >= 0, scale + digits.count <= 60 else { return nil }
    return (isNegative ? "-" : "") + digits + String(repeating: "0", count: scale)
  }
}
