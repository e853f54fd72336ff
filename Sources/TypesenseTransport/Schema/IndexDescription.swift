import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// An index as the cluster keeps it: its settings, and the collection that holds its records.
///
/// It is one document, so settings and records change together. A collection is replaced by writing
/// the name of another one here.
struct IndexDescription: Sendable {
  /// The name of the index.
  let name: String
  /// Differs after every change.
  var version: String
  /// The settings of the index.
  var settings: IndexSettings
  /// The index whose records this one ranks in another way, or `nil`.
  var primary: String? { settings.primary }
  /// The synonyms and rules of the index. A replica has the synonyms of its primary.
  var entries = ForeignEntries()
  /// The collection of the records; empty for a replica.
  var collection: String
  /// The settings of the index and its replicas from which ``collection`` was made.
  var formSettings: [IndexSettings]
  /// The attributes of the ranking that have, or had, texts. Other ones compare as numbers, which
  /// is faster.
  var textRankings: Set<String> = []
  /// The collection that is being filled to replace ``collection``, with the settings for it.
  var next: Next?
  /// The number of milliseconds since 1970 of the creation and the last change of the settings.
  var created: Int64
  var updated: Int64

  /// The index that takes the collection ``next`` over, while a move is not finished.
  var movingTo: String?
  /// The index from which a move took ``collection``, until that is known to be gone.
  var takenFrom: String?
  /// The collection that the index ``takenFrom`` had.
  var takenCollection: String?
  /// Whether documents in the place of deleted records may be in ``collection``.
  var hasMarks = false

  /// The collection of the index, and the one that is being filled.
  var collections: [String] {
    [collection, next?.collection].compactMap(\.self).filter { !$0.isEmpty }
  }

  /// Whether the collection, and the one that is being filled, have what some settings need.
  func covers(_ settings: [IndexSettings]) throws -> Bool {
    let form = try CollectionForm(settings)
    return try ([formSettings] + [next?.formSettings].compactMap(\.self)).allSatisfy {
      try CollectionForm($0).covers(form)
    }
  }

  /// A collection that is being filled.
  struct Next: Sendable {
    var collection: String
    var formSettings: [IndexSettings]
  }

  /// The ID of the document of an index, by the bytes of its name.
  static func id(of name: String) -> String { String(hexadecimal: name.utf8) }

  /// Creates the description of a new index.
  init(name: String, settings: IndexSettings, collection: String, time: Int64) {
    self.name = name
    self.settings = settings
    self.collection = collection
    formSettings = [settings]
    version = ""
    created = time
    updated = time
  }

  /// Reads a description. Returns `nil` for a document of another form.
  init?(document: JSONNode) {
    guard let text = document["description"]?.string,
      let root = (try? JSONDocument(Array(text.utf8)))?.root,
      let name = root["name"]?.string, let version = document["version"]?.string,
      let collection = root["collection"]?.string,
      let settings = root["settings"].flatMap(Self.settings),
      let formSettings = Self.list(root["formSettings"])
    else { return nil }
    self.name = name
    self.version = version
    self.settings = settings
    self.collection = collection
    self.formSettings = formSettings
    movingTo = root["movingTo"]?.string
    takenFrom = root["takenFrom"]?.string
    takenCollection = root["takenCollection"]?.string
    hasMarks = root["hasMarks"]?.bool ?? false
    textRankings = Set(root.list("textRankings").compactMap(\.string))
    created = root["created"]?.int64 ?? 0
    updated = root["updated"]?.int64 ?? 0
    guard
      let entries = try? ForeignEntries(
        synonyms: root.list("synonyms"),
        rules: root.list("rules"), CancellationCheck())
    else { return nil }
    self.entries = entries
    if let node = root["next"], let collection = node["collection"]?.string,
      let formSettings = Self.list(node["formSettings"])
    {
      next = Next(collection: collection, formSettings: formSettings)
    }
  }

  private static let defaults = (try? JSON(encoding: IndexSettings()))?.objectValue ?? [:]

  /// Settings without the ones that have their defaults.
  private static func json(_ settings: IndexSettings) throws -> JSON {
    let members = try JSON(encoding: settings).objectValue ?? [:]
    return .object(members.filter { defaults[$0.key] != $0.value })
  }

  private static func settings(_ node: JSONNode) -> IndexSettings? {
    let settings = try? JSONValueDecoder().decode(IndexSettings.self, from: node)
    // Another program can have written them.
    guard let settings, (try? settings.check(CancellationCheck())) != nil else { return nil }
    return settings
  }

  private static func list(_ node: JSONNode?) -> [IndexSettings]? {
    guard let node, node.kind == .array else { return nil }
    let list = node.elements.compactMap(settings)
    return list.count == node.count ? list : nil
  }

  /// The document of the description.
  func document() throws -> JSON {
    var members: [String: JSON] = [
      "name": .string(name), "collection": .string(collection),
      "settings": try Self.json(settings),
      "formSettings": .array(try formSettings.map { try Self.json($0) }),
      "created": .int(created), "updated": .int(updated),
    ]
    for (name, kind) in [("synonyms", ForeignEntries.Kind.synonyms), ("rules", .rules)]
    where !entries.isEmpty(kind) {
      members[name] = .array(entries.json(kind))
    }
    if hasMarks { members["hasMarks"] = true }
    if !textRankings.isEmpty {
      members["textRankings"] = .array(textRankings.sorted().map { .string($0) })
    }
    if let movingTo { members["movingTo"] = .string(movingTo) }
    if let takenFrom { members["takenFrom"] = .string(takenFrom) }
    if let takenCollection { members["takenCollection"] = .string(takenCollection) }
    if let next {
      members["next"] = [
        "collection": .string(next.collection),
        "formSettings": .array(try next.formSettings.map { try Self.json($0) }),
      ]
    }
    return [
      "id": .string(Self.id(of: name)), "kind": "index", "version": .string(version),
      // So that the filter of a scoped key does not hide it.
      FieldName.codes: [.string(ValueCode.description)],
      "description": .string(try Self.checked(JSON.object(members).text)),
    ]
  }

  /// The maximum size of a description, in bytes. Every program that searches reads it.
  private static let maximumSize = 4 << 20

  private static func checked(_ text: String) throws(APIError) -> String {
    guard text.utf8.count <= maximumSize else {
      throw APIError(
        "The settings, synonyms and rules of an index can have \(maximumSize) bytes together on this"
          + " cluster, got \(text.utf8.count)")
    }
    return text
  }
}

extension String {
  /// Whether another text is the same, and not only equal in Unicode.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
