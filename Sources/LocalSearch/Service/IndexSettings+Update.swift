import AsyncInstantSearch
import SearchJSON

extension IndexSettings {
  /// The settings changed by the members of an object; `null` resets a setting to its default.
  func updated(by node: JSONNode) throws(APIError) -> IndexSettings {
    do {
      var members = try JSON(encoding: self).objectValue ?? [:]
      for member in node.members where !member.isSuperseded {
        if member.value.isNull {
          members.removeValue(forKey: member.key)
        } else {
          members[member.key] = try JSON(node: member.value)
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

  /// Refuses numbers out of their ranges.
  func check() throws(APIError) {
    let ranges: [(String, Int, ClosedRange<Int>)] = [
      ("hitsPerPage", hitsPerPage, 0...1000),
      ("paginationLimitedTo", paginationLimitedTo, 0...20_000),
      ("maxValuesPerFacet", maxValuesPerFacet, 0...1000),
      ("maxFacetHits", maxFacetHits, 0...100),
      ("minProximity", minProximity, 1...8),
      ("distinct", distinct.hitsPerGroup, 0...4),
    ]
    for (name, value, range) in ranges where !range.contains(value) {
      throw APIError.invalidValue(
        of: name, expected: "integer between \(range.lowerBound) and \(range.upperBound)",
        got: "\(value)")
    }
    for declaration in attributesForFaceting.map({ FacetDeclaration($0) })
    where declaration.isFilterOnly && declaration.isSearchable {
      throw APIError(
        "Invalid value for \"attributesForFaceting\" parameter,"
          + " \(declaration.attribute) cannot be both filterOnly and searchable")
    }
  }
}
