#if os(Linux)
  import AsyncInstantSearch
  import CInstantSearchCurl

  /// One request on its way through libcurl, and what has come of its answer.
  ///
  /// It belongs to the thread of its loop. libcurl holds an unretained pointer to it, from its start
  /// to its removal, for which time the loop keeps it.
  final class CurlTransfer {
    /// How many bytes all heads of an answer may have.
    private static let maximumHeaderSize = 1 << 20

    let order: CurlInbox.Order
    let easy: libcurl_easy
    private let connectEnd: ContinuousClock.Instant
    private let maximumBodySize: Int
    private let headerList: libcurl_list
    private var status = 0
    private var headers: [HTTPHeader] = []
    private var body: [UInt8] = []
    private var headerSize = 0
    private var isTooLong = false
    private var isHeadWhole = false

    /// Tells libcurl about a request; `nil` when it has no memory.
    ///
    /// - Parameters:
    ///   - timeLeft: How much of the request's time is left.
    ///   - grace: How much longer libcurl may take for each step, its caller having gone.
    init?(
      _ order: CurlInbox.Order, on easy: libcurl_easy, timeLeft: Duration,
      configuration: CurlExchange.Configuration,
      grace: Duration
    ) {
      self.order = order
      self.easy = easy
      maximumBodySize = configuration.maximumBodySize
      connectEnd = .now.advanced(by: Deadline.bounded(order.request.connectTimeout))
      // Without the last one libcurl would wait for a permission before it sends a long body.
      var list: libcurl_list = 0
      for line in order.request.headers.map(\.line) + ["Expect:"] {
        let longer = unsafe libcurl_list_append(list, line)
        if longer == 0 {
          libcurl_list_destroy(list)
          return nil
        }
        list = longer
      }
      headerList = list
      let request = order.request
      libcurl_easy_set_list(easy, CurlOption.headers, list)
      unsafe libcurl_easy_set_text(easy, CurlOption.acceptedEncoding, "gzip")
      setNumbers(
        for: request, timeout: timeLeft + grace, connectTimeout: request.connectTimeout + grace)
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe libcurl_easy_set_receiver(easy, CurlOption.bodyReceiver, receiveBodyBytes)
      unsafe libcurl_easy_set_bytes(easy, CurlOption.bodyContext, context)
      unsafe libcurl_easy_set_receiver(easy, CurlOption.headerReceiver, receiveHeaderBytes)
      unsafe libcurl_easy_set_bytes(easy, CurlOption.headerContext, context)
      guard unsafe libcurl_easy_set_text(easy, CurlOption.url, request.url) == 0,
        set(configuration), setMethod(of: request)
      else { return nil }
    }

    deinit {
      libcurl_list_destroy(headerList)
    }

    private func setNumbers(
      for request: HTTPExchangeRequest, timeout: Duration, connectTimeout: Duration
    ) {
      let numbers = [
        (CurlOption.noSignals, 1),
        (CurlOption.protocols, CurlOption.webProtocols),
        (CurlOption.pathAsIs, 1),
        (CurlOption.httpVersion, CurlOption.http2OverTLS),
        // A connection may be shared with others as soon as TLS has negotiated HTTP/2, which is worth
        // waiting for; without TLS all would wait for the answer to the first.
        (CurlOption.waitsForMultiplexing, request.url.hasPrefix("https:") ? 1 : 0),
        (CurlOption.keepsAlive, 1),
        // A name that is being resolved when a transfer ends is not waited for; since 7.87.
        (CurlOption.quickExit, 1),
        (CurlOption.timeoutMilliseconds, timeout.wholeMilliseconds),
        (CurlOption.connectTimeoutMilliseconds, connectTimeout.wholeMilliseconds),
      ]
      for (option, value) in numbers { libcurl_easy_set_number(easy, option, value) }
    }

    private func set(_ configuration: CurlExchange.Configuration) -> Bool {
      let texts = [
        (CurlOption.authorityFile, configuration.certificateAuthorityFile),
        (CurlOption.certificateFile, configuration.clientCertificate?.certificateFile),
        (CurlOption.keyFile, configuration.clientCertificate?.keyFile),
        (CurlOption.keyPassword, configuration.clientCertificate?.password),
        (CurlOption.unixSocketPath, configuration.unixSocketPath),
      ]
      for case (let option, let text?) in texts {
        if unsafe libcurl_easy_set_text(easy, option, text) != 0 { return false }
      }
      return true
    }

    private func setMethod(of request: HTTPExchangeRequest) -> Bool {
      if request.body.isEmpty, request.method == .get || request.method == .delete {
        libcurl_easy_set_number(easy, CurlOption.get, 1)
      } else {
        libcurl_easy_set_number(easy, CurlOption.post, 1)
        libcurl_easy_set_size(easy, CurlOption.bodySize, Int64(request.body.count))
        let code = unsafe request.body.withUnsafeBytes { bytes in
          // Without bytes there is no pointer, and libcurl would ask for some.
          unsafe bytes.isEmpty
            ? libcurl_easy_set_text(easy, CurlOption.copiedBody, "")
            : libcurl_easy_set_bytes(easy, CurlOption.copiedBody, bytes.baseAddress)
        }
        if code != 0 { return false }
      }
      return unsafe libcurl_easy_set_text(easy, CurlOption.method, request.method.rawValue) == 0
    }

    /// When its time is up, as far as is known now.
    var end: ContinuousClock.Instant {
      connectEnd < order.end && !libcurl_easy_is_connected(easy) ? connectEnd : order.end
    }

    /// Whether its host is looked up no more.
    var hasAddress: Bool { libcurl_easy_has_address(easy) }

    /// Notes the status of the answer, for which libcurl still needs its handle.
    func readStatus() {
      status = libcurl_easy_status(easy)
    }

    /// What has come of the transfer that ended with a code of libcurl.
    func result(code: Int32) -> Result<HTTPExchangeResponse, any Error> {
      if isTooLong {
        return .failure(
          HTTPExchangeError.network("the answer is longer than \(maximumBodySize) bytes"))
      }
      // libcurl takes the end of a connection for the end of a head.
      if code == 0, !isHeadWhole {
        return .failure(
          HTTPExchangeError.network("connection lost before the answer's head was whole"))
      }
      if code != 0 { return .failure(CurlErrorMapping.error(code: code)) }
      return .success(
        HTTPExchangeResponse(
          status: status, headers: headers.describingDecodedBody, body: body))
    }

    /// Takes bytes of the body in; `false` when they are too many.
    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard bytes.count <= maximumBodySize - body.count else {
        isTooLong = true
        return false
      }
      unsafe body.append(contentsOf: bytes)
      return true
    }

    /// Takes one line of a head in: a status line, a header, or the empty line at its end.
    ///
    /// - Returns: `false` when they are too many.
    fileprivate func receiveHeader(_ line: String) -> Bool {
      headerSize += line.utf8.count
      guard headerSize <= Self.maximumHeaderSize else { return false }
      // A head that says "continue" may come before the one that counts.
      if line.hasPrefix("HTTP/") {
        headers = []
        isHeadWhole = false
        return true
      }
      if line.trimmingLineEnd.isEmpty { isHeadWhole = true }
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
      let value = line[line.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append(HTTPHeader(name: String(line[..<colon]), value: value.trimmingLineEnd))
      return true
    }
  }

  private let receiveBodyBytes: libcurl_receiver = { bytes, size, count, context in
    let (byteCount, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, let context = unsafe context else { return 0 }
    // The loop keeps the transfer for as long as libcurl may call.
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let isTaken = unsafe transfer.receive(UnsafeRawBufferPointer(start: bytes, count: byteCount))
    // Zero says that nothing was taken, which ends the transfer.
    return isTaken ? byteCount : 0
  }

  private let receiveHeaderBytes: libcurl_receiver = { bytes, size, count, context in
    let (byteCount, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: byteCount)
    let isTaken = transfer.receiveHeader(unsafe String(decoding: line, as: UTF8.self))
    return isTaken ? byteCount : 0
  }

  extension HTTPHeader {
    /// The field as libcurl wants it, for which `name:` without a value means that none is sent.
    fileprivate var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
  }

  extension StringProtocol where SubSequence == Substring {
    /// The text without the white space at its end.
    fileprivate var trimmingLineEnd: String {
      var rest = self[...]
      while let last = rest.unicodeScalars.last, [" ", "\t", "\r", "\n"].contains(last) {
        rest.unicodeScalars.removeLast()
      }
      return String(rest)
    }
  }

  extension Duration {
    /// The time in milliseconds, rounded up; at least 1, at most what libcurl can count to.
    var wholeMilliseconds: Int {
      let bounded = Swift.min(Swift.max(self, .zero), .milliseconds(Int64(Int32.max)))
      let (seconds, attoseconds) = bounded.components
      let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
      return Swift.min(Swift.max(Int(seconds * 1000 + part), 1), Int(Int32.max))
    }
  }
#endif
