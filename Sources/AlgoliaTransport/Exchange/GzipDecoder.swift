#if os(Linux)
  import CInstantSearchCurl

  /// Decompresses the bodies of responses in the task of the caller, so that the thread that drives
  /// the transfers continues with others.
  ///
  /// It works in pieces of 64 KiB. After each it checks for cancellation, the timeout and the
  /// maximum size of the body. A truncated body fails the attempt, like a lost connection.
  package enum GzipDecoder {
    private static let pieceSize = 64 << 10
    /// The maximum number of nested encodings of a body.
    private static let maximumEncodingCount = 4

    /// Whether compressed responses are supported.
    static let isAvailable = zlib_is_available()

    /// Returns the response with its body decompressed.
    ///
    /// - Throws: `CancellationError` or ``HTTPExchangeError``.
    @concurrent package static func decode(
      _ response: HTTPExchangeResponse, maximumBodySize: Int, until end: ContinuousClock.Instant
    ) async throws -> HTTPExchangeResponse {
      let encodings = response.headers
        .filter { $0.name.lowercased() == "content-encoding" }
        .flatMap { $0.value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }) }
        .filter { $0 != "identity" }
      var response = response
      response.headers = response.headers.describingDecodedBody
      guard !encodings.isEmpty, !response.body.isEmpty else { return response }
      guard encodings.count <= maximumEncodingCount,
        encodings.allSatisfy({ ["gzip", "x-gzip", "deflate"].contains($0) })
      else { throw HTTPExchangeError.network("the response has an unknown encoding") }
      for _ in encodings {
        response.body = try await inflate(
          response.body, maximumSize: maximumBodySize, until: end)
      }
      return response
    }

    private static func inflate(
      _ input: [UInt8], maximumSize: Int, until end: ContinuousClock.Instant
    ) async throws -> [UInt8] {
      var stream = try makeStream()
      defer { zlib_destroy(stream) }
      var output: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: pieceSize)
      var position = 0
      var pieceCount = 0
      while true {
        var (inputCount, outputCount) = (0, 0)
        // Safe: zlib reads and writes the two buffers during the call, at most their counts.
        let code = unsafe input[position...].withUnsafeBufferPointer { input in
          unsafe piece.withUnsafeMutableBufferPointer { piece in
            // Neither buffer is empty, so both have a pointer.
            guard let output = piece.baseAddress else { return Int32(-1) }
            return unsafe zlib_step(
              stream, input.baseAddress, input.count, &inputCount, output, piece.count, &outputCount
            )
          }
        }
        guard code >= 0 else {
          throw HTTPExchangeError.network("the response has an invalid encoding")
        }
        guard outputCount <= maximumSize - output.count else {
          throw HTTPExchangeError.tooLong(maximumSize)
        }
        position += inputCount
        output.append(contentsOf: piece[..<outputCount])
        if code == 1 {
          // A gzip file can have several members. Anything else after a member is not part of the
          // body.
          guard input[position...].starts(with: [0x1F, 0x8B]) else { return output }
          let next = try makeStream()
          zlib_destroy(stream)
          stream = next
        } else if inputCount == 0, outputCount == 0 {
          throw HTTPExchangeError.network("the response is truncated")
        }
        pieceCount += 1
        try Task.checkCancellation()
        if ContinuousClock.now >= end { throw HTTPExchangeError.timedOut }
        // Lets other tasks run.
        if pieceCount.isMultiple(of: 16) { await Task.yield() }
      }
    }

    private static func makeStream() throws -> zlib_stream {
      let stream = zlib_make()
      if stream == 0 { throw HTTPExchangeError.network("zlib is missing or has no memory") }
      return stream
    }
  }
#endif
