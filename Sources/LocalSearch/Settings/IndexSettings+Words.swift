import InstantSearchAPI

// Settings about words that have no property, because few indices have them.
extension IndexSettings {
  /// The attributes whose words are split at capitals and digits.
  var camelCaseAttributes: [String] {
    additionalSettings["camelCaseAttributes"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// Whether compound words in queries are found by their parts.
  var decompoundQuery: Bool { additionalSettings["decompoundQuery"]?.boolValue ?? true }

  /// The attributes whose compound words are found by their parts, in the order of the languages.
  var decompoundedAttributes: [(language: Language, names: [String])] {
    let lists = additionalSettings["decompoundedAttributes"]?.objectValue ?? [:]
    return lists.sorted { $0.key < $1.key }.map { code, names in
      (Language(rawValue: code), names.arrayValue?.compactMap(\.stringValue) ?? [])
    }
  }

  /// The languages of the records.
  var indexLanguages: [Language] {
    let codes = additionalSettings["indexLanguages"]?.arrayValue?.compactMap(\.stringValue)
    return codes?.map(Language.init(rawValue:)) ?? []
  }

  /// The texts that replace characters before words are compared, by character.
  var customNormalization: [String: String] {
    let texts = additionalSettings["customNormalization"]?["default"]?.objectValue ?? [:]
    return texts.compactMapValues(\.stringValue)
  }

  /// The maximum number of languages with decompounded attributes.
  private static let maximumLanguageCount = 6

  /// Rejects settings about words that have another form.
  func checkWords(_ cancellation: CancellationCheck) throws {
    if let names = additionalSettings["camelCaseAttributes"], names != .null {
      let list = names.arrayValue?.compactMap(\.stringValue)
      guard let list, list.count == names.arrayValue?.count else {
        throw APIError.invalidValue(
          of: "camelCaseAttributes", expected: "array of strings", got: names.text.excerpt())
      }
      try ParameterCheck.attributes(
        list, "camelCaseAttributes", functions: [], cancellation)
    }
    if let lists = additionalSettings["decompoundedAttributes"], lists != .null {
      let name = "decompoundedAttributes"
      guard let lists = lists.objectValue, lists.count <= Self.maximumLanguageCount,
        lists.values.allSatisfy({ list in
          list.arrayValue?.allSatisfy { $0.stringValue != nil } ?? false
        })
      else {
        throw APIError.invalidValue(
          of: name,
          expected: #"object such as {"de": ["title"]}, with at most"#
            + " \(Self.maximumLanguageCount) languages", got: lists.text.excerpt())
      }
      for (_, names) in decompoundedAttributes {
        try ParameterCheck.attributes(names, name, functions: [], cancellation)
      }
    }
    if let languages = additionalSettings["customNormalization"], languages != .null {
      try checkNormalization(languages)
    }
  }

  private static let normalizationForm = #"object of objects such as {"default": {"ä": "ae"}}"#

  /// Whether a character belongs to a word. Others would divide a word that is one.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch ScalarClass(scalar) {
    case .word, .unspaced: true
    case .mark, .joiner, .separator: false
    }
  }

  private func checkNormalization(_ languages: JSON) throws(APIError) {
    let name = "customNormalization"
    func invalid(_ value: JSON, _ expected: String) -> APIError {
      .invalidValue(of: name, expected: expected, got: value.text.excerpt())
    }
    guard let languages = languages.objectValue else {
      throw invalid(languages, Self.normalizationForm)
    }
    for texts in languages.values {
      guard let texts = texts.objectValue, texts.count <= ParameterLimits.maximumEntryCount else {
        throw invalid(
          texts,
          Self.normalizationForm + " with at most \(ParameterLimits.maximumEntryCount) texts")
      }
      for (character, text) in texts {
        guard character.unicodeScalars.count == 1 else {
          throw invalid(.string(character), "single characters as names")
        }
        guard let value = text.stringValue, (1...2).contains(value.unicodeScalars.count),
          value.unicodeScalars.allSatisfy(Self.isLetter)
        else {
          throw invalid(text, "one or two letters or digits for \"\(character)\"")
        }
      }
    }
  }
}
