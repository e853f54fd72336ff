import AsyncInstantSearch
import InstantSearchJSON

extension IndexSettings {
  /// The settings changed by the members of an object; `null` resets a setting to its default.
  func updated(by node: JSONNode, _ checkpoint: Checkpoint) throws -> IndexSettings {
    let given: IndexSettings
    do {
      given = try JSONValueDecoder().decode(GivenSettings.self, from: node).settings
    } catch {
      throw APIError("Invalid settings: \(SearchError(decodingFailure: error).message)")
    }
    var settings = self
    for member in node.members where !member.isSuperseded {
      try checkpoint.count()
      if let entry = Self.entry(named: member.key), !entry.isAnyValue {
        entry.copy(given, &settings)
        continue
      }
      // `JSON` has a nil literal of its own, so the absence of a value is written out.
      let value: JSON? = member.value.isNull ? Optional.none : try checkpoint.json(member.value)
      if Self.names.contains(member.key) {
        settings.userData = value
      } else {
        settings.additionalSettings[member.key] = value
      }
    }
    try settings.check(checkpoint)
    return settings
  }
}

/// The settings of an object that have a type; a member that is absent or `null` has its default.
///
/// What may be any value may be long, and is read by itself.
private struct GivenSettings: Decodable {
  var settings = IndexSettings()

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: IndexSettingEntry.Name.self)
    for entry in IndexSettings.entries where !entry.isAnyValue {
      try entry.read(&settings, container)
    }
  }
}
