import InstantSearchAPI
import InstantSearchJSON

extension EngineState {
  /// Reads and checks a call that writes dictionary entries or their settings.
  func preparedWrite(
    _ call: Endpoint.Dictionaries, _ request: TransportRequest, _ cancellation: CancellationCheck
  ) throws -> PreparedWrite<TransportResponse> {
    let root = try RequestBody(request.body, cancellation).root
    let change: DictionaryEntries.Change
    switch call {
    case .batch(let dictionary):
      change = try Self.change(root, DictionaryEntries.name(dictionary), cancellation)
    case .setSettings: change = .settings(try DictionarySettings(root))
    case .search, .settings, .languages: throw APIError(noCall: request)
    }
    return PreparedWrite(
      to: [WriteTransaction.dictionariesPermit], changes: { try $0.apply(change) },
      result: written(WriteAnswer("updatedAt")))
  }

  private static func change(
    _ root: JSONNode, _ name: DictionaryEntries.Name, _ cancellation: CancellationCheck
  ) throws -> DictionaryEntries.Change {
    let flag = root["clearExistingDictionaryEntries"]
    guard flag?.isNull ?? true || flag?.bool != nil else {
      throw APIError.invalidValue(
        of: "clearExistingDictionaryEntries", expected: "boolean", got: flag?.excerpt ?? "")
    }
    guard let requests = root["requests"], requests.kind == .array else {
      throw APIError.invalidValue(
        of: "requests", expected: "array", got: root["requests"]?.excerpt ?? "nothing")
    }
    // The last request about an entry counts.
    var saved: [String: DictionaryEntries.Entry] = [:]
    var order: [String] = []
    for (number, node) in requests.elements.enumerated() {
      try cancellation.count(bytes: node.sourceRange.count)
      do {
        let body = node["body"]
        switch node["action"]?.string {
        case "addEntry":
          guard let body else { throw APIError("An entry needs a body") }
          let entry = try DictionaryEntries.Entry(body, name, cancellation)
          order.append(entry.value.objectID)
          saved[entry.value.objectID] = entry
        case "deleteEntry":
          guard let objectID = body?["objectID"]?.string, !objectID.isEmpty else {
            throw APIError("Invalid `objectID`: expected a text that is not empty")
          }
          order.append(objectID)
          saved[objectID] = nil
        default:
          throw APIError.invalidValue(
            of: "action", expected: "addEntry or deleteEntry",
            got: node["action"]?.excerpt ?? "nothing")
        }
      } catch let error as APIError {
        throw error.at(location: "requests[\(number)]")
      }
    }
    var seen: Set<String> = []
    let ids = order.filter { seen.insert($0).inserted }
    return .entries(
      name, saved: ids.compactMap { saved[$0] }, deleted: ids.filter { saved[$0] == nil },
      replacesAll: flag?.bool ?? false)
  }
}

extension DictionaryEntries {
  /// Reads the name of a dictionary in a path.
  static func name(_ text: String) throws(APIError) -> Name {
    guard let name = Name(rawValue: text) else {
      throw APIError.invalidValue(of: "dictionaryName", expected: names, got: text.excerpt())
    }
    return name
  }
}

extension ReadCall {
  /// Performs a call that reads dictionaries.
  func answerDictionaries(_ call: Endpoint.Dictionaries) throws -> TransportResponse {
    let dictionaries = reader.dictionaries
    switch call {
    case .search(let name):
      return try EntrySearch(body().root, cancellation).response(
        dictionaries.entries.sorted(DictionaryEntries.name(name), cancellation).map(\.node),
        cancellation)
    case .settings:
      var writer = JSONWriter()
      dictionaries.entries.settings.write(to: &writer)
      return TransportResponse(json: writer.bytes)
    case .languages: return try languages(of: dictionaries)
    case .batch, .setSettings: throw APIError(noCall: request)
    }
  }

  private func languages(of dictionaries: Dictionaries) throws -> TransportResponse {
    let names = DictionaryEntries.Name.allCases
    let known = names.map { Set(dictionaries.languages($0)) }
    let counts = names.map { dictionaries.entryCounts($0) }
    let all = known.reduce(into: Set<Language>()) { $0.formUnion($1) }
    var writer = JSONWriter()
    writer.beginObject()
    for language in all.sorted(by: { $0.rawValue < $1.rawValue }) {
      try cancellation.count()
      writer.key(language.rawValue)
      writer.beginObject()
      for (number, name) in names.enumerated() {
        writer.key(name.rawValue)
        guard known[number].contains(language) else {
          writer.null()
          continue
        }
        writer.beginObject()
        writer.key("nbCustomEntries")
        writer.int(counts[number][language] ?? 0)
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endObject()
    return TransportResponse(json: writer.bytes)
  }
}
