import InstantSearchJSON

/// The language in which places are searched and answered; beside it counts each place's own.
package struct PlaceLanguage: Sendable, Hashable {
  /// The code, as records have it.
  package let code: String

  /// The attributes of a place that may have a value for each language.
  private static let attributes: Set<Substring> = ["locale_names", "city", "county", "country"]
  /// Where such an attribute has the value in the place's own language.
  private static let ownLanguage = "default"

  /// Creates the language of a code, whether any place has it or not.
  package init(code: String) { self.code = code }

  /// Whether values at a path are searched: not those in other languages.
  package func includes(_ path: String) -> Bool {
    guard let dot = path.firstIndex(of: "."), Self.attributes.contains(path[..<dot]) else {
      return true
    }
    let language = path[path.index(after: dot)...]
    return language == code || language == Self.ownLanguage
  }

  /// The place with one value for each localised attribute: in this language, or else in its own;
  /// an attribute without either is left out. `null` is no value.
  func projecting(_ place: JSONNode) -> [UInt8] {
    var writer = JSONWriter(capacity: place.sourceRange.count)
    writer.beginObject()
    for member in place.currentMembers {
      var value = member.value
      if value.kind == .object, Self.attributes.contains(Substring(member.key)) {
        let names = [code, Self.ownLanguage]
        guard let own = names.lazy.compactMap({ value[$0] }).first(where: { !$0.isNull }) else {
          continue
        }
        value = own
      }
      writer.key(member.key)
      writer.raw(value)
    }
    writer.endObject()
    return writer.bytes
  }
}
