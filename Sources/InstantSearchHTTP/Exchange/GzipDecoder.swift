#if os(Linux)
  import CInstantSearchCurl

  /// Decompresses the bodies of responses in the task of the caller, so that the thread that drives
  /// the transfers continues with others.
  ///
  /// It works in pieces of 64 KiB. After each it checks for cancellation, the timeout and the
  /// maximum size of the body. A truncated body fails the attempt, like a lost connection.
  ///
  /// Bodies that grow beyond 4 MiB take turns: one at a time grows to the maximum size, however
  /// many responses arrive that decompress to much more than their own size. The wait for the turn
  /// counts towards the timeout.
  package enum GzipDecoder {
    private static let pieceSize = 64 << 10
    private static let turn = Turn()
    /// The maximum number of nested encodings of a body.
    private static let maximumEncodingCount = 4

    /// Whether compressed responses are supported.
    static let isAvailable = zlib_is_available()

    /// Returns the response with its body decompressed.
    ///
    /// - Parameter sizeWithoutTurn: The size up to which any number of bodies grow at the same
    ///   time.
    /// - Throws: `CancellationError` or ``HTTPExchangeError``.
    @concurrent package static func decode(
      _ response: HTTPExchangeResponse, maximumBodySize: Int, until end: ContinuousClock.Instant,
      sizeWithoutTurn: Int = 4 << 20
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
      // The body of an outer encoding is in memory during the next one, which the same turn covers.
      var hasTurn = false
      defer {
        if hasTurn { turn.end() }
      }
      for _ in encodings {
        response.body = try await inflate(
          response.body, maximumSize: maximumBodySize, until: end,
          sizeWithoutTurn: sizeWithoutTurn, hasTurn: &hasTurn)
      }
      return response
    }

    private static func inflate(
      _ input: [UInt8], maximumSize: Int, until end: ContinuousClock.Instant,
      sizeWithoutTurn: Int, hasTurn: inout Bool
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
        if !hasTurn, output.count + outputCount > sizeWithoutTurn {
          try await turn.begin(until: end)
          hasTurn = true
        }
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

    /// Admits one caller at a time, in the order of their calls.
    package final class Turn: Sendable {
      private struct State {
        var isTaken = false
        var waiting: [Waiter<Void>] = []
      }

      private let state = Lock(State())

      /// Creates a turn that no caller has.
      package init() {}

      /// Waits for the turn. Call ``end()`` after it, unless it throws.
      ///
      /// - Throws: `CancellationError` or ``HTTPExchangeError``.
      package func begin(until end: ContinuousClock.Instant) async throws {
        let waiter = Waiter<Void>()
        let isFree = state.withLock { state in
          defer { state.isTaken = true }
          if state.isTaken { state.waiting.append(waiter) }
          return !state.isTaken
        }
        if isFree { return }
        do {
          try await waiter.value(until: Deadline(after: end - .now))
        } catch {
          let isStillWaiting = state.withLock { state in
            let index = state.waiting.firstIndex { $0 === waiter }
            if let index { state.waiting.remove(at: index) }
            return index != nil
          }
          // It had received the turn already.
          if !isStillWaiting { self.end() }
          throw error is CancellationError ? error : HTTPExchangeError.timedOut
        }
      }

      /// Passes the turn on.
      package func end() {
        let next = state.withLock { state -> Waiter<Void>? in
          if state.waiting.isEmpty {
            state.isTaken = false
            return nil
          }
          return state.waiting.removeFirst()
        }
        next?.fulfill(with: .success(()))
      }
    }

    private static func makeStream() throws -> zlib_stream {
      let stream = zlib_make()
      if stream == 0 { throw HTTPExchangeError.network("zlib is missing or has no memory") }
      return stream
    }
  }
#endif
