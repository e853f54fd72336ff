/// Text that is equal to another only when the bytes are.
///
/// `String` takes `é` for the same in either Unicode form. The IDs of records are compared by their
/// bytes everywhere, so collections of IDs have this as their key.
struct ByteString: Sendable, Hashable {
  /// The text in UTF-8.
  let bytes: [UInt8]

  /// Takes the bytes of a text.
  init(_ text: String) { bytes = Array(text.utf8) }
}
