package import InstantSearchAPI
import InstantSearchJSON

extension EngineState {
  /// Reads and checks a call that writes synonyms or rules.
  func preparedWrite(
    _ call: Endpoint.Entries, _ kind: IndexEntries.Kind, of indexName: String,
    _ request: TransportRequest, _ cancellation: CancellationCheck
  ) throws -> PreparedWrite<TransportResponse> {
    try ParameterCheck.indexName(indexName)
    let change = try IndexEntries.Change(call, kind, request, cancellation)
    var answer = WriteAnswer(kind == .synonyms && call.isDeletion ? "deletedAt" : "updatedAt")
    if kind == .synonyms, case .save(let objectID) = call { answer.id = objectID }
    if kind == .rules, case .save(let entries, _) = change, !entries.isEmpty,
      configuration.accepts == .honored || configuration.rejectsMistakes
    {
      throw APIError("Rules have no effect in this engine, which only stores them")
    }
    let forwards = request.flag("forwardToReplicas") ?? false
    return PreparedWrite(
      to: [indexName],
      changes: { try $0.apply(change, to: kind, of: indexName, forwards: forwards) },
      result: written(answer))
  }
}

extension IndexEntries.Change {
  /// Reads the change of a call that writes.
  init(
    _ call: Endpoint.Entries, _ kind: IndexEntries.Kind, _ request: TransportRequest,
    _ cancellation: CancellationCheck
  ) throws {
    switch call {
    case .save(let objectID):
      let root = try RequestBody(request.body, cancellation).root
      self = .save(
        [try IndexEntries.Entry(root, kind, pathID: objectID, cancellation)], replacesAll: false)
    case .batch:
      let nodes = try RequestBody.list(request.body, cancellation)
      let flag = kind == .synonyms ? "replaceExistingSynonyms" : "clearExistingRules"
      let entries = try nodes.enumerated().map { number, node in
        do {
          return try IndexEntries.Entry(node, kind, cancellation)
        } catch let error as APIError {
          throw error.at(location: "[\(number)]")
        }
      }
      self = .save(entries, replacesAll: request.flag(flag) ?? false)
    case .delete(let objectID): self = .delete(objectID: objectID)
    case .clear: self = .clear
    case .get, .search: throw APIError(noCall: request)
    }
  }
}

extension Endpoint.Entries {
  /// Whether the call deletes one entry.
  package var isDeletion: Bool {
    if case .delete = self { true } else { false }
  }
}

extension WriteTransaction {
  /// Changes the synonyms or the rules of an index. Only saving creates a missing index.
  ///
  /// - Parameter forwards: Whether the replicas get the same change.
  mutating func apply(
    _ change: IndexEntries.Change, to kind: IndexEntries.Kind, of indexName: String,
    forwards: Bool = false
  ) throws {
    let isSave = if case .save = change { true } else { false }
    let created: IndexSnapshot? = isSave ? emptySnapshot() : nil
    guard let current = try snapshot(of: indexName) ?? created else { return }
    for name in [indexName] + (forwards ? current.settings.replicaNames : []) {
      guard let changed = name == indexName ? current : try snapshot(of: name) else { continue }
      var entries = changed.entries
      try entries.apply(change, to: kind, cancellation)
      set(try changed.with(entries, cancellation), of: name)
      note(.entries(indexName: name, kind, change))
    }
  }
}

extension ReadCall {
  /// Performs a call that reads synonyms or rules.
  func answerEntries(
    _ call: Endpoint.Entries, _ kind: IndexEntries.Kind, of indexName: String
  ) throws -> TransportResponse {
    try snapshot(of: indexName).entries.response(to: call, kind, request, cancellation)
  }
}

extension IndexEntries {
  /// Performs a call that reads synonyms or rules.
  func response(
    to call: Endpoint.Entries, _ kind: Kind, _ request: TransportRequest,
    _ cancellation: CancellationCheck
  ) throws -> TransportResponse {
    switch call {
    case .get(let objectID):
      guard let entry = entry(objectID, kind) else {
        throw APIError(
          status: 404,
          kind == .synonyms ? "Synonym set does not exist" : "ObjectID does not exist")
      }
      return TransportResponse(json: entry.node.source)
    case .search:
      let entries = entries(kind)
      var names = Array(entries.keys)
      try cancellation.sort(&names, length: { $0.utf8.count }, by: <)
      let body = try RequestBody(request.body, cancellation)
      return try EntrySearch(body.root, kind, cancellation)
        .response(names.compactMap { entries[$0]?.node }, cancellation)
    case .save, .delete, .batch, .clear: throw APIError(noCall: request)
    }
  }
}

extension EntrySearch {
  /// Returns a page of the entries that are found.
  func response(
    _ entries: [JSONNode], _ cancellation: CancellationCheck
  ) throws -> TransportResponse {
    let hits = try entries.filter { try matches($0, cancellation) }
    let start = page.multipliedReportingOverflow(by: hitsPerPage)
    let shown = start.overflow ? [] : hits.dropFirst(start.partialValue).prefix(hitsPerPage)
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.key("hits")
    writer.beginArray()
    for hit in shown {
      try cancellation.count(bytes: hit.sourceRange.count)
      writer.raw(hit)
      try cancellation.check(responseSize: writer.count, .entries)
    }
    writer.endArray()
    writer.key("nbHits")
    writer.int(hits.count)
    writer.key("page")
    writer.int(page)
    writer.key("nbPages")
    writer.int((hits.count + hitsPerPage - 1) / hitsPerPage)
    writer.endObject()
    return TransportResponse(json: try writer.bytes { try cancellation.check() })
  }
}

/// A search for synonyms, rules or dictionary entries. Every parameter is optional.
struct EntrySearch {
  /// The words, in lower case. Each must be part of a text of the entry.
  private let words: [String]
  /// The types of synonyms; empty for all.
  private var types: Set<Synonym.TypeName> = []
  private var anchoring: String?
  private var context: String?
  private var isEnabled: Bool?
  private var language: String?
  let page: Int
  let hitsPerPage: Int

  /// Reads a search for dictionary entries.
  init(_ body: JSONNode, _ cancellation: CancellationCheck) throws {
    try self.init(common: body, cancellation)
    language = try Self.text("language", in: body)
  }

  private init(common body: JSONNode, _ cancellation: CancellationCheck) throws {
    let query = try Self.text("query", in: body) ?? ""
    try cancellation.count(bytes: query.utf8.count)
    words = query.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    try ParameterCheck.count(words.count, "query", limit: 100)
    page = try Self.number("page", in: body, 0...Int(Int32.max)) ?? 0
    hitsPerPage = try Self.number("hitsPerPage", in: body, 1...1000) ?? 20
  }

  /// Reads a search for synonyms or rules.
  init(_ body: JSONNode, _ kind: IndexEntries.Kind, _ cancellation: CancellationCheck) throws {
    try self.init(common: body, cancellation)
    switch kind {
    case .synonyms:
      let text = try Self.text("type", in: body) ?? ""
      for name in text.split(separator: ",") {
        guard let type = Synonym.TypeName(anySpelling: String(name)) else {
          throw APIError.invalidValue(
            of: "type", expected: Synonym.TypeName.allCases.map(\.rawValue).joined(separator: ", "),
            got: String(name).excerpt())
        }
        types.insert(type)
      }
    case .rules:
      anchoring = try Self.text("anchoring", in: body)
      context = try Self.text("context", in: body)
      if let flag = body["enabled"], !flag.isNull {
        guard let value = flag.bool else {
          throw APIError.invalidValue(of: "enabled", expected: "boolean", got: flag.excerpt)
        }
        isEnabled = value
      }
    }
  }

  private static func text(_ name: String, in body: JSONNode) throws(APIError) -> String? {
    guard let value = body[name], !value.isNull else { return nil }
    guard let text = value.string else {
      throw APIError.invalidValue(of: name, expected: "string", got: value.excerpt)
    }
    return text
  }

  private static func number(
    _ name: String, in body: JSONNode, _ range: ClosedRange<Int>
  ) throws(APIError) -> Int? {
    guard let value = body[name], !value.isNull else { return nil }
    guard let number = value.int, range.contains(number) else {
      throw APIError.invalidValue(
        of: name, expected: "\(range.lowerBound) to \(range.upperBound)", got: value.excerpt)
    }
    return number
  }

  /// Whether an entry is found.
  func matches(_ node: JSONNode, _ cancellation: CancellationCheck) throws -> Bool {
    try cancellation.count(bytes: node.sourceRange.count)
    if !types.isEmpty {
      guard let type = node["type"]?.string.flatMap(Synonym.TypeName.init(anySpelling:)),
        types.contains(type)
      else { return false }
    }
    if let language, node["language"]?.string != language { return false }
    if let isEnabled, (node["enabled"]?.bool ?? true) != isEnabled { return false }
    if anchoring != nil || context != nil {
      let conditions =
        node["conditions"]?.elements.map(\.self) ?? node["condition"].map { [$0] } ?? []
      let holds = conditions.contains { condition in
        (anchoring.map { condition["anchoring"]?.string == $0 } ?? true)
          && (context.map { condition["context"]?.string == $0 } ?? true)
      }
      guard holds else { return false }
    }
    if words.isEmpty { return true }
    var missing = words
    remove(from: &missing, wordsIn: node)
    return missing.isEmpty
  }

  /// Removes the words that a text of the value contains. Values are not nested deeply.
  private func remove(from missing: inout [String], wordsIn node: JSONNode) {
    switch node.kind {
    case .string:
      guard let text = node.string?.lowercased() else { return }
      missing.removeAll { text.contains($0) }
    case .array:
      for element in node.elements { remove(from: &missing, wordsIn: element) }
    case .object:
      for member in node.members { remove(from: &missing, wordsIn: member.value) }
    default: break
    }
  }
}
