import InstantSearchAPI
import InstantSearchJSON

extension DictionaryEntries {
  /// Writes the entries of all dictionaries.
  func write(to output: some FileOutput, _ cancellation: CancellationCheck) throws {
    for name in Name.allCases {
      let texts = try sorted(name, cancellation).map {
        String(decoding: $0.node.source, as: UTF8.self)
      }
      try output.write(texts: texts)
    }
    try output.write(settings.text)
  }

  /// Reads the entries of all dictionaries.
  init(from reader: inout SectionReader) throws {
    self.init()
    for name in Name.allCases {
      let saved = try Entry.list(name, from: &reader)
      try apply(
        .entries(name, saved: saved, deleted: [], replacesAll: true), reader.cancellation)
    }
    try apply(.settings(DictionarySettings(from: &reader)), reader.cancellation)
  }
}

extension DictionaryEntries.Name {
  /// Reads the name of a dictionary.
  init(from reader: inout SectionReader) throws {
    guard let name = Self(rawValue: try reader.text()) else {
      throw FileProblem.damaged("a dictionary has an unknown name")
    }
    self = name
  }
}

extension DictionaryEntries.Entry {
  /// Reads a list of entries.
  static func list(
    _ name: DictionaryEntries.Name, from reader: inout SectionReader
  ) throws -> [DictionaryEntries.Entry] {
    try reader.texts().map { text in
      try reader.value(of: text, name.rawValue) {
        try DictionaryEntries.Entry($0, name, reader.cancellation)
      }
    }
  }
}

extension DictionarySettings {
  /// The settings as JSON, which ``init(from:)`` reads.
  var text: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Reads settings.
  init(from reader: inout SectionReader) throws {
    let text = try reader.text()
    self = try reader.value(of: text, "settings of dictionaries") {
      try DictionarySettings($0)
    }
  }
}
