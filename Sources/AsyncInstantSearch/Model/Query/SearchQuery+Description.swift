import InstantSearchJSON

extension SearchQuery: CustomStringConvertible {
  /// The parameters that are set, as JSON; safe to log: the user token is not shown.
  public var description: String {
    var writer = JSONWriter()
    writer.beginObject()
    for entry in entries {
      writer.key(entry.name)
      if entry.isPersonal {
        writer.string(PersonalData.mask)
      } else {
        entry.value.write(to: &writer)
      }
    }
    writer.endObject()
    return "SearchQuery(\(String(decoding: writer.bytes, as: UTF8.self)))"
  }
}

extension SearchQuery: CustomReflectable {
  /// The parameters that are set, by name; the user token is not shown.
  public var customMirror: Mirror {
    let children = entries.map { entry -> Mirror.Child in
      if entry.isPersonal { return (entry.name, PersonalData.mask) }
      return switch entry.value {
      case .parameter(let value): (entry.name, value)
      case .additional(let json): (entry.name, json)
      }
    }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension SearchQuery.Entry {
  /// Whether the value identifies a person, be it a property's or an additional parameter's.
  fileprivate var isPersonal: Bool { PersonalData.isName(name) }
}

/// What identifies a person, and is not shown in descriptions.
enum PersonalData {
  /// What stands for it.
  static let mask = "…"

  /// Whether a parameter of that name identifies a person.
  static func isName(_ name: String) -> Bool {
    SearchParameter.named(name)?.isPersonal == true
  }

  /// URL-encoded parameters with the personal ones masked.
  static func masked(urlEncoded params: String) -> String {
    params.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != "=" }
      let decoded = PercentEncoding.decode(name, plusIsSpace: true) ?? String(name)
      return isName(decoded) ? "\(name)=\(mask)" : String(pair)
    }.joined(separator: "&")
  }

  /// Free-form members with the personal ones masked, wherever they are.
  static func masked(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): return .array(elements.map(masked))
    case .object(let members):
      let shown = members.map { name, value in
        (name, isName(name) ? JSON.string(mask) : masked(value))
      }
      return .object(Dictionary(shown, uniquingKeysWith: { first, _ in first }))
    default: return json
    }
  }
}
