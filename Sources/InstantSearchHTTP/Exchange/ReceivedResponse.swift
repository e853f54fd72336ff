#if os(Linux)
  /// The part of a response that libcurl has received, and its result.
  package struct ReceivedResponse: Sendable {
    /// The maximum size of all headers of a response, in bytes.
    private static let maximumHeaderSize = 1 << 20

    /// The status of the final response.
    package var status = 0
    /// The status of the proxy's response to CONNECT; 0 without one.
    package var proxyStatus = 0
    /// Whether the only connection was a kept one.
    package var usedKeptConnection = false
    /// Whether the response is an HTTP/2 response; `nil` without a response.
    private(set) var isMultiplexed: Bool?

    private let maximumBodySize: Int
    private var headers: [HTTPHeader] = []
    private var body: [UInt8] = []
    private var headerSize = 0
    private var isTooLong = false
    private var hasCompleteHeaders = false

    /// Creates an empty response.
    package init(maximumBodySize: Int) {
      self.maximumBodySize = maximumBodySize
    }

    /// The result of a transfer that ended with a code of libcurl.
    package func result(code: Int32) -> Result<HTTPExchangeResponse, any Error> {
      if isTooLong {
        return .failure(HTTPExchangeError.tooLong(maximumBodySize))
      }
      // libcurl accepts the end of the connection as the end of the headers.
      if code == 0, !hasCompleteHeaders {
        return .failure(
          HTTPExchangeError.network("connection closed before the response headers were complete"))
      }
      if CurlErrorMapping.isLostConnection(code), proxyStatus >= 300 {
        let problem = ConnectionProblem.refusedByProxy.rawValue
        return .failure(HTTPExchangeError.network("\(problem) (status \(proxyStatus))"))
      }
      if code != 0 {
        let isStale =
          usedKeptConnection && headerSize == 0 && CurlErrorMapping.isLostConnection(code)
        return .failure(
          isStale ? HTTPExchangeError.staleConnection : CurlErrorMapping.error(code: code))
      }
      return .success(HTTPExchangeResponse(status: status, headers: headers, body: body))
    }

    /// Appends bytes of the body. Returns `false` if the body is too long.
    package mutating func receive(_ bytes: some Collection<UInt8>) -> Bool {
      guard bytes.count <= maximumBodySize - body.count else {
        isTooLong = true
        return false
      }
      body.append(contentsOf: bytes)
      return true
    }

    /// Handles a line of the headers: a status line, a header or the empty line at their end.
    ///
    /// - Returns: `false` if the headers are too long.
    package mutating func receiveHeader(_ line: String) -> Bool {
      headerSize += line.utf8.count
      guard headerSize <= Self.maximumHeaderSize else { return false }
      // The headers of an interim response can precede the final ones, but not follow the body.
      if line.hasPrefix("HTTP/"), body.isEmpty {
        isMultiplexed = line.hasPrefix("HTTP/2")
        headers = []
        hasCompleteHeaders = false
        return true
      }
      // Lines after complete headers are trailers, which are not header fields of the response.
      if hasCompleteHeaders { return true }
      if line.trimmingLineEnd.isEmpty { hasCompleteHeaders = true }
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
      let value = line[line.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append(HTTPHeader(name: String(line[..<colon]), value: value.trimmingLineEnd))
      return true
    }
  }

  extension StringProtocol where SubSequence == Substring {
    /// The text without trailing white space.
    fileprivate var trimmingLineEnd: String {
      var rest = self[...]
      while let last = rest.unicodeScalars.last, [" ", "\t", "\r", "\n"].contains(last) {
        rest.unicodeScalars.removeLast()
      }
      return String(rest)
    }
  }
#endif
