import AsyncInstantSearch

/// One setting as a member of a JSON object: its name, and how it is read and written.
struct IndexSettingEntry: Sendable {
  /// The name of a setting.
  struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The name on the wire.
  let name: String
  /// Reads the member if there is one that is not `null`.
  let read: @Sendable (inout IndexSettings, KeyedDecodingContainer<Name>) throws -> Void
  /// Takes the value of other settings.
  let copy: @Sendable (IndexSettings, inout IndexSettings) -> Void
  /// Whether the value may be any JSON.
  let isAnyValue: Bool
  /// Writes the member, unless the value is `nil`.
  let write: @Sendable (IndexSettings, inout KeyedEncodingContainer<Name>) throws -> Void

  /// A setting that always has a value.
  init<Value: Codable & SendableMetatype>(
    _ name: String, _ path: any WritableKeyPath<IndexSettings, Value> & Sendable
  ) {
    self.name = name
    isAnyValue = Value.self == JSON.self
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    let key = Name(name)
    read = { settings, container in
      if let value = try container.decodeIfPresent(Value.self, forKey: key) {
        settings[keyPath: path] = value
      }
    }
    write = { settings, container in
      try container.encode(settings[keyPath: path], forKey: key)
    }
  }

  /// A setting that may be without a value.
  init<Value: Codable & SendableMetatype>(
    _ name: String, _ path: any WritableKeyPath<IndexSettings, Value?> & Sendable
  ) {
    self.name = name
    isAnyValue = Value.self == JSON.self
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    let key = Name(name)
    read = { settings, container in
      settings[keyPath: path] = try container.decodeIfPresent(Value.self, forKey: key)
    }
    write = { settings, container in
      try container.encodeIfPresent(settings[keyPath: path], forKey: key)
    }
  }
}
