#if os(Linux)
  import CInstantSearchCurl

  /// Decompresses the bodies of answers, in the task of the caller and not in the thread that
  /// drives the transfers, which goes on with those of others.
  ///
  /// It works in pieces of 64 KiB, and looks after each whether the caller has gone, its time is up
  /// or the body is too long. A body that ends too early is an attempt that failed, like a lost
  /// connection.
  package enum GzipDecoder {
    private static let pieceSize = 64 << 10
    /// How many encodings a body may have, one on top of the other.
    private static let maximumEncodingCount = 4

    /// Whether compressed answers can be read.
    static let isAvailable = zlib_is_available()

    /// The answer with its body as it was before it was compressed.
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
      else { throw HTTPExchangeError.network("the answer's encoding is not known") }
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
        let code = unsafe input[position...].withUnsafeBufferPointer { input in
          unsafe piece.withUnsafeMutableBufferPointer { piece in
            // Neither is empty, so there is a pointer.
            guard let output = piece.baseAddress else { return Int32(-1) }
            return unsafe zlib_step(
              stream, input.baseAddress, input.count, &inputCount, output, piece.count, &outputCount
            )
          }
        }
        guard code >= 0 else { throw HTTPExchangeError.network("the answer's encoding is wrong") }
        guard outputCount <= maximumSize - output.count else {
          throw HTTPExchangeError.tooLong(maximumSize)
        }
        position += inputCount
        output.append(contentsOf: piece[..<outputCount])
        if code == 1 {
          // A file of gzip may have several parts; what is none of them is not part of the answer.
          guard input[position...].starts(with: [0x1F, 0x8B]) else { return output }
          let next = try makeStream()
          zlib_destroy(stream)
          stream = next
        } else if inputCount == 0, outputCount == 0 {
          throw HTTPExchangeError.network("the answer's encoding ends too early")
        }
        pieceCount += 1
        try Task.checkCancellation()
        if ContinuousClock.now >= end { throw HTTPExchangeError.timedOut }
        // Other tasks go on in between.
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
