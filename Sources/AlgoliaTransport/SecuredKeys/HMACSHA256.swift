/// The authentication code HMAC of RFC 2104, with SHA-256.
package enum HMACSHA256 {
  /// The 32 bytes that only a holder of the key can make for a message.
  package static func code(for message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    var key = key.count > SHA256.blockSize ? SHA256.digest(of: key) : key
    key += repeatElement(0, count: SHA256.blockSize - key.count)
    var inner = SHA256()
    inner.update(key.lazy.map { $0 ^ 0x36 })
    inner.update(message)
    var outer = SHA256()
    outer.update(key.lazy.map { $0 ^ 0x5C })
    outer.update(inner.digest())
    return outer.digest()
  }

  /// Whether a code is the right one, in a time that does not tell how much of it is.
  package static func isCode(_ code: [UInt8], for message: some Sequence<UInt8>, key: [UInt8])
    -> Bool
  {
    let expected = self.code(for: message, key: key)
    guard code.count == expected.count else { return false }
    return zip(code, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
