import AsyncInstantSearch

extension SearchQuery {
  /// The parameters as the text `params` of an answer: a JSON string, its quotes included.
  ///
  /// - Parameter size: How many bytes of the answer stand before it.
  func paramsText(after size: Int, _ checkpoint: Checkpoint) throws -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    var bytes = [quote]
    var counted = 0
    try appendURLEncoded(to: &bytes) { count in
      try checkpoint.count(bytes: count - counted)
      counted = count
      try checkpoint.check(answerSize: size + count)
    }
    bytes.append(quote)
    return bytes
  }
}

/// The ID of a search: 32 hexadecimal digits that depend on the index and the parameters alone.
enum QueryID {
  /// The ID, by the FNV-1a hash of 128 bits.
  static func text(
    indexName: String, _ query: SearchQuery, _ checkpoint: Checkpoint
  ) throws -> String {
    let params = try query.paramsText(after: 0, checkpoint).dropFirst().dropLast()
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for (number, byte) in (Array(indexName.utf8) + [0] + params).enumerated() {
      if number & 1023 == 0 { try checkpoint.count(bytes: 1024) }
      hash ^= UInt128(byte)
      hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
