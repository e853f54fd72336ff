/// Member names that are documented, found also where a coder's key strategy has changed them.
///
/// `objectID` is written as `object_id` by an encoder that converts to snake case, and read as
/// `objectId` by a decoder that converts from it. So names are compared without regard to case and
/// to underscores, but for those at the beginning, which no strategy changes.
struct DocumentedNames: Sendable {
  private let byFolded: [String: String]

  /// Creates the names of a type.
  init(_ names: some Sequence<String>) {
    byFolded = Dictionary(
      names.map { (Self.folded($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The documented names among others, each with the name it stands under.
  ///
  /// A name that is written as documented wins over one that only resembles it.
  func places(in names: some Sequence<String>) -> [String: String] {
    var places: [String: String] = [:]
    for name in names {
      guard let documented = byFolded[Self.folded(name)], places[documented] != documented else {
        continue
      }
      if name == documented || name < places[documented] ?? "\u{10FFFF}" {
        places[documented] = name
      }
    }
    return places
  }

  private static func folded(_ name: String) -> String {
    let start = name.firstIndex { $0 != "_" } ?? name.endIndex
    return name[..<start] + name[start...].lowercased().filter { $0 != "_" }
  }
}

extension KeyedDecodingContainer<AnyKey> {
  /// The keys of the documented members that are there.
  func keys(of documented: DocumentedNames) -> [String: AnyKey] {
    documented.places(in: allKeys.lazy.map(\.stringValue)).mapValues(AnyKey.init)
  }
}
