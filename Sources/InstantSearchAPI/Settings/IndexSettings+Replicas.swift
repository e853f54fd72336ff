package import InstantSearchJSON

extension IndexSettings {
  /// Returns the entries of `replicas` in an object of settings.
  package static func replicas(in members: JSONNode) -> [String] {
    let names = entry(named: "replicas")?.names ?? []
    let given = names.lazy.compactMap { members[$0] }.first { !$0.isNull }
    return given.flatMap { try? JSONValueDecoder().decode(ReplicaList.self, from: $0) }?.names ?? []
  }

  /// The name of the index in an entry of `replicas`.
  package static func indexName(ofReplica text: String) -> String {
    Substring(text.trimmingSpaces()).argument(of: ["virtual"]).map { String($0.argument) } ?? text
  }

  /// Whether the contract has a setting with a name, as the current or the former one.
  package static func isKnown(_ name: String) -> Bool {
    entry(named: name) != nil || namesWithoutProperty.contains(name)
  }

  /// The names of the contract's settings that have no property here.
  private static let namesWithoutProperty: Set<String> = [
    "allowCompressionOfIntegerArray", "attributesToTransliterate", "camelCaseAttributes",
    "customNormalization", "decompoundQuery", "decompoundedAttributes", "enablePersonalization",
    "enableReRanking", "enableRules", "indexLanguages", "mode", "primary",
    "reRankingApplyFilter", "relevancyStrictness", "semanticSearch", "version",
  ]
}

/// The value of `replicas`. Official clients send a list with an empty name to remove all.
struct ReplicaList: Decodable {
  var names: [String]

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self), text.isEmpty {
      names = []
    } else {
      names = try [String](from: decoder).filter { !$0.trimmingSpaces().isEmpty }
    }
  }
}
