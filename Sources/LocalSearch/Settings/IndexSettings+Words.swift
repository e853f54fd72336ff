import InstantSearchAPI

// Settings about words that have no property, because few indices have them.
extension IndexSettings {
  /// The attributes whose words are split at capitals and digits.
  var camelCaseAttributes: [String] {
    additionalSettings["camelCaseAttributes"]?.arrayValue?.compactMap(\.stringValue) ?? []
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
    if let languages = additionalSettings["customNormalization"], languages != .null {
      try checkNormalization(languages)
    }
  }

  private func checkNormalization(_ languages: JSON) throws(APIError) {
    let name = "customNormalization"
    func invalid(_ value: JSON, _ expected: String) -> APIError {
      .invalidValue(of: name, expected: expected, got: value.text.excerpt())
    }
    guard let languages = languages.objectValue else {
      throw invalid(languages, "object of objects by language")
    }
    for texts in languages.values {
      guard let texts = texts.objectValue, texts.count <= ParameterLimits.maximumEntryCount else {
        throw invalid(texts, "object of at most \(ParameterLimits.maximumEntryCount) texts")
      }
      for (character, text) in texts {
        guard character.unicodeScalars.count == 1 else {
          throw invalid(.string(character), "single characters as names")
        }
        guard let value = text.stringValue, (1...2).contains(value.unicodeScalars.count) else {
          throw invalid(text, "one or two characters for \"\(character)\"")
        }
      }
    }
  }
}
