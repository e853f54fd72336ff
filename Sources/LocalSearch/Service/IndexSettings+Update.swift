import AsyncInstantSearch
import InstantSearchJSON

extension IndexSettings {
  /// The settings changed by the members of an object; `null` resets a setting to its default.
  func updated(by node: JSONNode) throws(APIError) -> IndexSettings {
    do {
      var members = try JSON(encoding: self).objectValue ?? [:]
      for member in node.members where !member.isSuperseded {
        if member.value.isNull {
          members.removeValue(forKey: member.key)
        } else {
          members[member.key] = JSON(node: member.value)
        }
      }
      let settings = try JSON.object(members).decode(IndexSettings.self)
      try settings.check()
      return settings
    } catch let error as APIError {
      throw error
    } catch let error as SearchError {
      throw APIError("Invalid settings: \(error.message)")
    } catch {
      throw APIError("Invalid settings: \(error)")
    }
  }
}
