#if os(Linux)
  import CInstantSearchCurl

  /// One request that libcurl processes, and its response.
  ///
  /// It belongs to the thread of its loop. libcurl holds an unretained pointer to it from its start
  /// to its removal. The loop retains it during that time.
  final class CurlTransfer {
    /// The maximum size of all headers of a response, in bytes.
    private static let maximumHeaderSize = 1 << 20

    let submission: CurlInbox.Submission
    let easy: libcurl_easy
    /// The time at which it was added to libcurl.
    let begin: ContinuousClock.Instant
    /// The pool of its connection, set before libcurl drives it.
    var pool: CurlConnections.Pool?
    private let settings: CurlSettings
    private let headerList: libcurl_list
    /// The addresses of the host. Empty if libcurl needs none.
    private let addressList: libcurl_list
    private var status = 0
    private var headers: [HTTPHeader] = []
    private var body: [UInt8] = []
    private var headerSize = 0
    private var isTooLong = false
    private var hasCompleteHeaders = false
    /// The number of bytes sent before the request, or `nil` before libcurl was about to send it.
    private var sentCountAtRequest: Int?
    /// The number of bytes of the request's body that libcurl received.
    private var takenCount = 0

    /// Sets the options of a request. `nil` without memory, or if libcurl lacks a required option.
    init?(
      _ start: CurlStart, _ addresses: [String], at time: ContinuousClock.Instant,
      on easy: libcurl_easy, _ settings: CurlSettings
    ) {
      submission = start.submission
      self.easy = easy
      self.settings = settings
      begin = time
      let request = submission.request
      // Without an empty `Expect`, libcurl would wait for a response before it sends a long body.
      var lines = ["Expect:"] + request.headers.map(\.line)
      if GzipDecoder.isAvailable, request.headers.firstValue(named: "Accept-Encoding") == nil {
        lines.append("Accept-Encoding: gzip")
      }
      guard let headerList = Self.list(of: lines) else { return nil }
      self.headerList = headerList
      guard let addressList = Self.list(of: start.route.line(addresses).map { [$0] } ?? []) else {
        libcurl_list_destroy(headerList)
        return nil
      }
      self.addressList = addressList
      libcurl_easy_set_list(easy, CurlOption.headers, headerList)
      if addressList != 0 { libcurl_easy_set_list(easy, CurlOption.addresses, addressList) }
      setNumbers(
        for: request, timeout: submission.end - time, connectTimeout: start.connectEnd - time)
      // Safe: libcurl calls the receivers with `self` between the start and the removal of the
      // transfer, and the loop retains it during that time. libcurl copies texts.
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe libcurl_easy_set_receiver(easy, CurlOption.bodyReceiver, receiveBodyBytes)
      unsafe libcurl_easy_set_bytes(easy, CurlOption.bodyContext, context)
      unsafe libcurl_easy_set_receiver(easy, CurlOption.headerReceiver, receiveHeaderBytes)
      unsafe libcurl_easy_set_bytes(easy, CurlOption.headerContext, context)
      guard unsafe libcurl_easy_set_text(easy, CurlOption.url, request.url) == 0,
        set(settings.configuration, start.route), setMethod(of: request),
        unsafe setSending(of: request, context)
      else { return nil }
    }

    /// A list of lines, 0 for an empty one, or `nil` without memory.
    private static func list(of lines: [String]) -> libcurl_list? {
      var list: libcurl_list = 0
      for line in lines {
        // Safe: libcurl copies the line.
        let longer = unsafe libcurl_list_append(list, line)
        if longer == 0 {
          libcurl_list_destroy(list)
          return nil
        }
        list = longer
      }
      return list
    }

    deinit {
      libcurl_list_destroy(headerList)
      libcurl_list_destroy(addressList)
    }

    private func setNumbers(
      for request: HTTPExchangeRequest, timeout: Duration, connectTimeout: Duration
    ) {
      let numbers = [
        (CurlOption.noSignals, 1),
        (CurlOption.protocols, CurlOption.webProtocols),
        (CurlOption.pathAsIs, 1),
        (CurlOption.httpVersion, settings.configuration.httpVersion.number),
        // With TLS a transfer waits until HTTP/2 is negotiated, because it can then share the
        // connection. Without TLS all transfers would wait for the first response.
        (CurlOption.waitsForMultiplexing, request.url.hasPrefix("https:") ? 1 : 0),
        (CurlOption.keepsAlive, 1),
        (CurlOption.timeoutMilliseconds, timeout.wholeMilliseconds),
        (CurlOption.connectTimeoutMilliseconds, connectTimeout.wholeMilliseconds),
      ]
      for (option, value) in numbers { libcurl_easy_set_number(easy, option, value) }
    }

    private func set(_ configuration: CurlExchange.Configuration, _ route: CurlRoute) -> Bool {
      let texts = [
        // With both options set libcurl ignores the environment.
        (CurlOption.proxy, route.proxy), (CurlOption.hostsWithoutProxy, ""),
        (CurlOption.authorityFile, configuration.certificateAuthorityFile),
        (CurlOption.certificateFile, configuration.clientCertificate?.certificateFile),
        (CurlOption.keyFile, configuration.clientCertificate?.keyFile),
        (CurlOption.keyPassword, configuration.clientCertificate?.password),
        (CurlOption.unixSocketPath, configuration.unixSocketPath),
      ]
      // Safe: libcurl copies texts, here and below.
      for case (let option, let text?) in texts {
        if unsafe libcurl_easy_set_text(easy, option, text) != 0 { return false }
      }
      return true
    }

    private func setMethod(of request: HTTPExchangeRequest) -> Bool {
      if request.hasNoBody {
        libcurl_easy_set_number(easy, CurlOption.get, 1)
      } else {
        libcurl_easy_set_number(easy, CurlOption.post, 1)
        libcurl_easy_set_size(easy, CurlOption.bodySize, Int64(request.body.count))
      }
      return unsafe libcurl_easy_set_text(easy, CurlOption.method, request.method.rawValue) == 0
    }

    /// Ensures that the request is sent once, and sets the source of the body.
    ///
    /// When a kept connection is lost before the first byte of the response, libcurl sends the
    /// request again. The server may have processed it already.
    private func setSending(
      of request: HTTPExchangeRequest, _ context: UnsafeMutableRawPointer
    ) -> Bool {
      if settings.asksBeforeSending {
        return unsafe libcurl_easy_set_question(easy, isAboutToSend, context) == 0
          && (request.hasNoBody || copyBody(of: request))
      }
      // An older libcurl does not resend a body that it cannot rewind. On a new connection it has
      // nothing to resend.
      if request.body.isEmpty {
        libcurl_easy_set_number(easy, CurlOption.takesFreshConnection, 1)
        return request.hasNoBody || copyBody(of: request)
      }
      return unsafe libcurl_easy_set_body(easy, giveBodyBytes, context) == 0
    }

    private func copyBody(of request: HTTPExchangeRequest) -> Bool {
      // Safe: libcurl copies as many bytes as the option `bodySize` states, which is their count.
      unsafe request.body.withUnsafeBytes { bytes in
        // An empty buffer has no pointer, and libcurl would request a body.
        unsafe bytes.isEmpty
          ? libcurl_easy_set_text(easy, CurlOption.copiedBody, "")
          : libcurl_easy_set_bytes(easy, CurlOption.copiedBody, bytes.baseAddress)
      } == 0
    }

    /// Whether the request may be sent on the connection that was found.
    fileprivate func maySend() -> Bool {
      let sentCount = libcurl_easy_sent_count(easy)
      defer { sentCountAtRequest = sentCountAtRequest ?? sentCount }
      // A connection can turn out to be lost before a byte of the request was sent.
      return sentCountAtRequest.map { sentCount <= $0 } ?? true
    }

    /// Copies the next bytes of the body.
    fileprivate func giveBody(to buffer: UnsafeMutableRawBufferPointer) -> Int {
      let count = min(buffer.count, submission.request.body.count - takenCount)
      // Safe: the count is at most that of the buffer.
      unsafe buffer.copyBytes(from: submission.request.body[takenCount..<takenCount + count])
      takenCount += count
      return count
    }

    /// Reads the status of the response, which requires the handle.
    func readStatus() {
      status = libcurl_easy_status(easy)
    }

    /// The result of a transfer that ended with a code of libcurl.
    func result(code: Int32) -> Result<HTTPExchangeResponse, any Error> {
      if isTooLong {
        return .failure(HTTPExchangeError.tooLong(settings.configuration.maximumBodySize))
      }
      // libcurl accepts the end of the connection as the end of the headers.
      if code == 0, !hasCompleteHeaders {
        return .failure(
          HTTPExchangeError.network("connection closed before the response headers were complete"))
      }
      if code != 0 {
        return .failure(CurlErrorMapping.error(code: code))
      }
      return .success(HTTPExchangeResponse(status: status, headers: headers, body: body))
    }

    /// Appends bytes of the body. Returns `false` if the body is too long.
    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard bytes.count <= settings.configuration.maximumBodySize - body.count else {
        isTooLong = true
        return false
      }
      unsafe body.append(contentsOf: bytes)
      return true
    }

    /// Handles a line of the headers: a status line, a header or the empty line at their end.
    ///
    /// - Returns: `false` if the headers are too long.
    fileprivate func receiveHeader(_ line: String) -> Bool {
      headerSize += line.utf8.count
      guard headerSize <= Self.maximumHeaderSize else { return false }
      // The headers of an interim response can precede the final ones, but not follow the body.
      if line.hasPrefix("HTTP/"), body.isEmpty {
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

  // Safe, for these four functions: `context` is the transfer, which the loop retains as long as
  // libcurl can call. The bytes are libcurl's, as many as `size` times `count`, during the call.

  private let receiveBodyBytes: libcurl_receiver = { bytes, size, count, context in
    let (byteCount, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let isTaken = unsafe transfer.receive(UnsafeRawBufferPointer(start: bytes, count: byteCount))
    // Zero means that no bytes were accepted, which ends the transfer.
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

  private let giveBodyBytes: libcurl_giver = { bytes, size, count, context in
    let (byteCount, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.giveBody(
      to: UnsafeMutableRawBufferPointer(start: bytes, count: byteCount))
  }

  private let isAboutToSend: libcurl_question = { context, _, _, _, _ in
    guard let context = unsafe context else { return 1 }
    return unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().maySend()
      ? 0 : 1
  }

  extension HTTPExchangeRequest {
    fileprivate var hasNoBody: Bool { body.isEmpty && (method == .get || method == .delete) }
  }

  extension CurlExchange.HTTPVersion {
    /// The number that libcurl uses for it.
    fileprivate var number: Int {
      switch self {
      case .automatic: CurlOption.http2OverTLS
      case .http1: CurlOption.http1Only
      case .http2Only: CurlOption.http2Only
      }
    }
  }

  extension HTTPHeader {
    /// The field in the format of libcurl, where `name:` without a value removes the field.
    fileprivate var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
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

  extension Duration {
    /// The time in milliseconds, rounded up, from 1 to the largest number that libcurl accepts.
    var wholeMilliseconds: Int {
      let bounded = Swift.min(Swift.max(self, .zero), .milliseconds(Int64(Int32.max)))
      let (seconds, attoseconds) = bounded.components
      let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
      return Swift.min(Swift.max(Int(seconds * 1000 + part), 1), Int(Int32.max))
    }
  }

  /// Constants of `<curl/curl.h>`.
  enum CurlOption {
    // Options of a multi handle.
    static let cachedConnections: Int32 = 6

    // Numeric options of a transfer.
    static let post: Int32 = 47
    static let takesFreshConnection: Int32 = 74
    static let get: Int32 = 80
    static let httpVersion: Int32 = 84
    static let noSignals: Int32 = 99
    static let timeoutMilliseconds: Int32 = 155
    static let connectTimeoutMilliseconds: Int32 = 156
    static let protocols: Int32 = 181
    static let keepsAlive: Int32 = 213
    static let pathAsIs: Int32 = 234
    static let waitsForMultiplexing: Int32 = 237
    static let bodySize: Int32 = 30_120

    // Options with texts, bytes and pointers.
    static let bodyContext: Int32 = 10_001
    static let url: Int32 = 10_002
    static let proxy: Int32 = 10_004
    static let headers: Int32 = 10_023
    static let headerContext: Int32 = 10_029
    static let certificateFile: Int32 = 10_025
    static let keyPassword: Int32 = 10_026
    static let method: Int32 = 10_036
    static let authorityFile: Int32 = 10_065
    static let keyFile: Int32 = 10_087
    static let copiedBody: Int32 = 10_165
    static let hostsWithoutProxy: Int32 = 10_177
    static let addresses: Int32 = 10_203
    static let unixSocketPath: Int32 = 10_231
    static let bodyReceiver: Int32 = 20_011
    static let headerReceiver: Int32 = 20_079

    /// HTTP/2 if TLS negotiates it.
    static let http2OverTLS = 4
    /// HTTP/1.1.
    static let http1Only = 2
    /// HTTP/2 without negotiation.
    static let http2Only = 5
    /// HTTP and HTTPS.
    static let webProtocols = 3
  }
#endif
