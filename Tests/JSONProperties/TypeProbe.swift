import Foundation

/// A type that is decoded through the generic functions of containers.
package protocol Probe: Sendable {
  /// The type's name.
  var name: String { get }
  /// Whether the standard library decodes the members of an object in no fixed order, so that any
  /// of several errors can be reported.
  var isUnordered: Bool { get }
  /// Decodes the value of a key.
  func decode<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws -> Any
  /// Decodes the value of a key if there is one.
  func decodeIfPresent<Key>(
    from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Any?
  /// Decodes the next element.
  func decode(from container: inout any UnkeyedDecodingContainer) throws -> Any
  /// Decodes the next element if there is one.
  func decodeIfPresent(from container: inout any UnkeyedDecodingContainer) throws -> Any?
  /// Decodes the single value.
  func decode(from container: any SingleValueDecodingContainer) throws -> Any
  /// Decodes a whole text with both decoders.
  func decode(_ bytes: [UInt8], with coders: CoderPair) -> DecodedPair
}

struct TypeProbe<T: Decodable>: Probe {
  var isUnordered: Bool

  init(_ type: T.Type, isUnordered: Bool = false) {
    self.isUnordered = isUnordered
  }

  var name: String { "\(T.self)" }

  func decode<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws -> Any {
    try container.decode(T.self, forKey: key)
  }

  func decodeIfPresent<Key>(
    from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> Any? {
    try container.decodeIfPresent(T.self, forKey: key)
  }

  func decode(from container: inout any UnkeyedDecodingContainer) throws -> Any {
    try container.decode(T.self)
  }

  func decodeIfPresent(from container: inout any UnkeyedDecodingContainer) throws -> Any? {
    try container.decodeIfPresent(T.self)
  }

  func decode(from container: any SingleValueDecodingContainer) throws -> Any {
    try container.decode(T.self)
  }

  func decode(_ bytes: [UInt8], with coders: CoderPair) -> DecodedPair {
    coders.decode(T.self, from: bytes, isUnordered: isUnordered)
  }
}

/// The types that are tried.
package enum Probes {
  /// Types of the standard library and Foundation.
  static let library: [any Probe] = [
    TypeProbe(Int.self), TypeProbe(Bool.self), TypeProbe(String.self), TypeProbe(Double.self),
    TypeProbe(Int?.self), TypeProbe(String??.self), TypeProbe([Int].self),
    TypeProbe([String?].self), TypeProbe([[Double]].self), TypeProbe([Bool]?.self),
    TypeProbe(Set<String>.self), TypeProbe([String: Int].self, isUnordered: true),
    TypeProbe([String: [String: Bool]].self, isUnordered: true),
    TypeProbe([String: Int?].self, isUnordered: true),
    TypeProbe([Int: String].self, isUnordered: true), TypeProbe([Level: Int].self),
    TypeProbe([KeyLevel: Int].self, isUnordered: true), TypeProbe(Date.self),
    TypeProbe([Date].self), TypeProbe(Data.self), TypeProbe(URL.self), TypeProbe(Decimal.self),
    TypeProbe(UUID.self), TypeProbe(Range<Int>.self), TypeProbe(ClosedRange<Double>.self),
    TypeProbe(UInt128.self), TypeProbe(CGFloat.self), TypeProbe(ContiguousArray<Float>.self),
  ]

  /// Types made for these tests.
  package static let records: [any Probe] = [
    TypeProbe(Level.self), TypeProbe(Grade.self), TypeProbe(Wrapped.self), TypeProbe(Figure.self),
    TypeProbe([Figure].self), TypeProbe(Item.self), TypeProbe([Item].self),
    TypeProbe(Directory.self, isUnordered: true), TypeProbe(LongKeys.self),
    TypeProbe(Backwards.self), TypeProbe(Base.self), TypeProbe(Apart.self),
    TypeProbe(Together.self), TypeProbe(Named.self), TypeProbe(Mixed.self), TypeProbe(Chain.self),
    TypeProbe(Person.self, isUnordered: true), TypeProbe(JSONTree.self, isUnordered: true),
  ]

  /// All of them.
  package static let all = library + records

  /// All types, and those that make random calls inside.
  static let inside: [any Probe] =
    all + [
      TypeProbe(RandomCalls.self), TypeProbe(RandomCalls.self), TypeProbe([RandomCalls].self),
      TypeProbe([String: RandomCalls].self, isUnordered: true), TypeProbe(RandomCalls?.self),
    ]
}
