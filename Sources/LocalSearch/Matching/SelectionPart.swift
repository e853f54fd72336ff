/// Some of the documents of a selection, or all.
struct SelectionPart: Sendable {
  /// The documents of the part.
  let selection: Selection
  /// The ordinals of the documents in the whole selection; empty when the part is the whole.
  private let ordinals: [UInt32]

  /// The number of documents.
  var count: Int { selection.count }

  /// Takes the documents with these ordinals, ascending.
  init(_ ordinals: [UInt32], of whole: Selection) {
    guard ordinals.count < whole.count else {
      selection = whole
      self.ordinals = []
      return
    }
    var bitmap = Bitmap(count: whole.bitmap.bitmap.count)
    for ordinal in ordinals { bitmap.insert(Int(whole.members[Int(ordinal)])) }
    selection = Selection(bitmap)
    self.ordinals = ordinals
  }

  /// Takes all documents.
  init(_ whole: Selection) {
    selection = whole
    ordinals = []
  }

  /// The ordinal of a document of the part in the whole selection.
  @inline(__always)
  func ordinal(_ index: Int) -> Int { ordinals.isEmpty ? index : Int(ordinals[index]) }
}
