import CServerSupport

/// The compression of bodies, as the clients of the hosted service ask for it.
///
/// The functions are those of zlib, which is on every system. Its streams have pointers, so each
/// call is `unsafe`; the pointers do not leave the closures that made them.
public enum Gzip {
  /// Bytes are not gzip.
  public struct Failure: Error {}

  /// Compresses bytes. The level is that of a web server: a third of the time of the default.
  public static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    var stream = unsafe z_stream()
    guard unsafe gzip_begin_deflate(&stream, 1) == Z_OK else { throw Failure() }
    defer { unsafe deflateEnd(&stream) }
    var input = bytes
    return try unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = uInt(input.count)
      // So many that one call is enough.
      let capacity = unsafe Int(deflateBound(&stream, uLong(input.count)))
      return unsafe try [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = uInt(output.count)
        guard unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END else { throw Failure() }
        count = unsafe Int(stream.total_out)
      }
    }
  }

  /// Decompresses bytes; returns `nil` if they have more than the maximum size.
  public static func decompress(_ bytes: [UInt8], maximumSize: Int) throws -> [UInt8]? {
    var stream = unsafe z_stream()
    guard unsafe gzip_begin_inflate(&stream) == Z_OK else { throw Failure() }
    defer { unsafe inflateEnd(&stream) }
    var input = bytes
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var result: [UInt8] = []
    return try unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = uInt(input.count)
      while true {
        let (status, count) = unsafe chunk.withUnsafeMutableBufferPointer { output in
          unsafe stream.next_out = output.baseAddress
          unsafe stream.avail_out = uInt(output.count)
          let status = unsafe inflate(&stream, Z_NO_FLUSH)
          return unsafe (status, output.count - Int(stream.avail_out))
        }
        // A stream that ends in the middle makes no progress.
        guard status == Z_STREAM_END || status == Z_OK && count > 0 else { throw Failure() }
        if result.count + count > maximumSize { return nil }
        result += chunk[..<count]
        if status == Z_STREAM_END {
          // A second stream would be left out.
          guard unsafe stream.avail_in == 0 else { throw Failure() }
          return result
        }
        try Task.checkCancellation()
      }
    }
  }
}
