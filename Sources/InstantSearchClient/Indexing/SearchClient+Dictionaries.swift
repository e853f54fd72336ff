import InstantSearchJSON

// Dictionaries belong to all indices of an application.
extension SearchClient {
  /// Saves entries of a dictionary. An entry replaces an older entry with the same ID.
  ///
  /// ```swift
  /// let lines = try String(contentsOf: file, encoding: .utf8)
  /// let entries = try DictionaryEntry.list(.plurals, lines: lines, .german)
  /// try await client.saveDictionaryEntries(entries, in: .plurals).wait()
  /// ```
  ///
  /// - Parameters:
  ///   - entries: The entries, all of this dictionary.
  ///   - dictionary: The dictionary.
  ///   - replaceExisting: Whether all other entries are deleted, in the same step. Defaults to
  ///     `false`.
  ///   - options: Options of the call.
  @concurrent @discardableResult
  public func saveDictionaryEntries(
    _ entries: [DictionaryEntry], in dictionary: DictionaryEntry.Dictionary,
    replaceExisting: Bool = false, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    var requests: [JSON] = []
    for entry in entries {
      do {
        requests.append(["action": "addEntry", "body": try JSON(encoding: entry)])
      } catch {
        throw SearchError(encodingFailure: error)
      }
    }
    return try await change(
      .batch(dictionary: dictionary.rawValue),
      [
        "clearExistingDictionaryEntries": .bool(replaceExisting), "requests": .array(requests),
      ], options)
  }

  /// Deletes entries of a dictionary. Missing entries are not an error. Standard entries stay: see
  /// ``disableStandardEntries(_:in:isDisabled:options:)``.
  @concurrent @discardableResult
  public func deleteDictionaryEntries(
    _ objectIDs: [String], from dictionary: DictionaryEntry.Dictionary,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    let requests: [JSON] = objectIDs.map {
      ["action": "deleteEntry", "body": ["objectID": .string($0)]]
    }
    return try await change(
      .batch(dictionary: dictionary.rawValue), ["requests": .array(requests)], options)
  }

  /// Returns the entries of a dictionary that contain some words. The hosted service includes
  /// standard entries; an embedded engine returns the ones that were saved.
  ///
  /// - Parameters:
  ///   - query: The words; empty for all entries.
  ///   - dictionary: The dictionary.
  ///   - language: The language; all by default.
  ///   - page: The page, from 0.
  ///   - hitsPerPage: The size of a page, 1 to 1,000. Defaults to 20.
  ///   - options: Options of the call.
  @concurrent
  public func searchDictionaryEntries(
    _ query: String = "", in dictionary: DictionaryEntry.Dictionary, language: Language? = nil,
    page: Int = 0, hitsPerPage: Int = 20, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> EntriesPage<DictionaryEntry> {
    var body: JSON = [
      "query": .string(query), "page": .int(Int64(page)), "hitsPerPage": .int(Int64(hitsPerPage)),
    ]
    if let language { body["language"] = .string(language.rawValue) }
    return try await entriesPage(
      EndpointCall(.dictionaries(.search(dictionary: dictionary.rawValue)), body: body.bytes),
      options)
  }

  /// Turns the standard entries of languages in a dictionary off, or on again.
  ///
  /// - Parameters:
  ///   - languages: The languages. Others stay as they are.
  ///   - dictionary: The dictionary.
  ///   - isDisabled: Whether the entries have no effect. Defaults to `true`.
  ///   - options: Options of the call.
  @concurrent @discardableResult
  public func disableStandardEntries(
    _ languages: [Language], in dictionary: DictionaryEntry.Dictionary, isDisabled: Bool = true,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    var flags: [String: JSON] = [:]
    for language in languages { flags[language.rawValue] = .bool(isDisabled) }
    return try await change(
      .setSettings, ["disableStandardEntries": [dictionary.rawValue: .object(flags)]], options)
  }

  /// Returns the languages whose standard entries are turned off, for each dictionary.
  @concurrent
  public func disabledStandardEntries(
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [DictionaryEntry.Dictionary: [Language]] {
    let call = EndpointCall(.dictionaries(.settings))
    let root = try await response(to: call, options: options).document.root
    guard let disabled = root["disableStandardEntries"], disabled.kind == .object else {
      throw CallContext(call).error(.decoding, "The response has no disableStandardEntries.")
    }
    var result: [DictionaryEntry.Dictionary: [Language]] = [:]
    for dictionary in DictionaryEntry.Dictionary.allCases {
      let flags = disabled[dictionary.rawValue]?.members.filter { $0.value.bool == true } ?? []
      if !flags.isEmpty {
        result[dictionary] = flags.map(\.key).sorted().map { Language(rawValue: $0) }
      }
    }
    return result
  }

  /// Returns the languages that have a dictionary, each with its number of saved entries. The
  /// dictionaries that a language lacks are missing.
  @concurrent
  public func dictionaryLanguages(
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [Language: [DictionaryEntry.Dictionary: Int]] {
    let call = EndpointCall(.dictionaries(.languages))
    let root = try await response(to: call, options: options).document.root
    guard root.kind == .object else {
      throw CallContext(call).error(.decoding, "The response has no languages.")
    }
    var result: [Language: [DictionaryEntry.Dictionary: Int]] = [:]
    for member in root.members {
      var counts: [DictionaryEntry.Dictionary: Int] = [:]
      for dictionary in DictionaryEntry.Dictionary.allCases {
        if let entry = member.value[dictionary.rawValue], entry.kind == .object {
          counts[dictionary] = entry["nbCustomEntries"]?.int ?? 0
        }
      }
      result[Language(rawValue: member.key)] = counts
    }
    return result
  }

  private func change(
    _ dictionaries: Endpoint.Dictionaries, _ body: JSON, _ options: RequestOptions
  ) async throws(SearchError) -> IndexTask {
    let call = EndpointCall(.dictionaries(dictionaries), body: body.bytes)
    let response = try await rawResponse(to: call, options: options)
    let taskID = try WriteResponse(response, to: call).taskID
    return IndexTask(indexName: "", taskID: taskID, client: self, options: options)
  }
}
