import InstantSearchAPI
import InstantSearchJSON

/// Values that are encoded and decoded again.
enum ValueProperties {
  static func violations(of text: [UInt8]) -> [String] {
    let expected = try? ReferenceReader.read(text)
    let json: JSON
    do throws(SearchError) {
      json = try JSON(parsing: text)
    } catch {
      return expected == nil ? [] : ["not read: \(error)"]
    }
    guard let expected else { return ["read, though it is no JSON"] }
    var violations: [String] = []
    let reference = self.json(expected)
    if reference != json { violations.append("\(json) instead of \(reference)") }
    if let again = try? JSON(parsing: json.text) {
      if again != json { violations.append("\(again) instead of \(json)") }
      // A negative zero is encoded with its sign and read as the integer, which has none.
      let hasNegativeZero = numbers(in: expected).contains { $0 == 0 && $0?.sign == .minus }
      if again.text != json.text, !hasNegativeZero {
        violations.append("written as \(again.text)")
      }
    } else {
      violations.append("written text is not read: \(json.text)")
    }
    if let encoded = try? JSONValueEncoder().encode(json) {
      if (try? JSONValueDecoder().decode(JSON.self, from: encoded)) != json {
        violations.append("encoded as \(String(decoding: encoded, as: UTF8.self))")
      }
    } else {
      violations.append("not encoded")
    }
    if let document = try? JSONDocument(text) {
      violations += self.violations(ofQuery: document)
    }
    return violations
  }

  /// The value that a text represents, computed by the standard library.
  private static func json(_ value: ReferenceValue) -> JSON {
    switch value.content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .string(let text): .string(String(decoding: text, as: UTF8.self))
    case .array(let elements): .array(elements.map(json))
    case .object:
      .object(
        value.currentMembers.reduce(into: [:]) { members, member in
          members[member.name] = json(member.value)
        })
    case .number(let text):
      if let number = Int64(text) {
        .int(number)
      } else if let number = UInt64(text) {
        .uint(number)
      } else if text.contains(where: { ".eE".contains($0) }), let number = Double(text),
        number.isFinite
      {
        .double(number)
      } else {
        .number(text)
      }
    }
  }

  /// All numbers inside a value; nil for one beyond the largest double.
  private static func numbers(in value: ReferenceValue) -> [Double?] {
    value.all.flatMap { value -> [Double?] in
      if case .number(let text) = value.content { [ReferenceNumber.double(text)] } else { [] }
    }
  }

  /// The body of a request.
  private static func violations(ofQuery document: JSONDocument) -> [String] {
    guard let query = try? SearchQuery(node: document.root) else { return [] }
    guard let again = try? SearchQuery(urlEncoded: query.urlEncoded) else {
      return ["a query's own text is not read: \(query.urlEncoded)"]
    }
    return again.urlEncoded == query.urlEncoded ? [] : ["a query changes as \(again.urlEncoded)"]
  }

  static func violations(ofURLEncoded text: [UInt8]) -> [String] {
    let text = String(decoding: text, as: UTF8.self)
    guard let query = try? SearchQuery(urlEncoded: text) else { return [] }
    guard let again = try? SearchQuery(urlEncoded: query.urlEncoded) else {
      return ["written text is not read: \(query.urlEncoded)"]
    }
    return again.urlEncoded == query.urlEncoded
      ? [] : ["\(again.urlEncoded) instead of \(query.urlEncoded)"]
  }
}
