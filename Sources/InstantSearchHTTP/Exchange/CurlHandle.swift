#if os(Linux)
  import CInstantSearchCurl

  /// A handle of libcurl for one transfer, with its options and all memory that they point to.
  ///
  /// A handle is used once. `curl_easy_reset` does not reset everything: a list of addresses that
  /// no transfer came to read stays, and the next transfer would read it after it was freed. A new
  /// handle has no state of an earlier transfer. It takes about one microsecond more than a reset.
  ///
  /// libcurl does not copy lists. They are freed here, after the handle.
  final class CurlHandle {
    let easy: libcurl_easy
    private var lists: [libcurl_list] = []

    /// Creates a handle without options. `nil` without memory.
    init?() {
      easy = libcurl_easy_make()
      if easy == 0 { return nil }
    }

    deinit {
      // `easy` is 0 if the initializer failed.
      if easy != 0 { libcurl_easy_destroy(easy) }
      for list in lists { libcurl_list_destroy(list) }
    }
  }

  // MARK: - Options

  extension CurlHandle {
    /// Sets the options of a request.
    ///
    /// - Parameter context: The ``CurlTransfer`` that the callbacks receive. It must exist as long
    ///   as the handle.
    /// - Returns: `false` without memory, or if libcurl lacks a required option.
    func setOptions(
      of start: CurlStart, _ addresses: [String], at time: ContinuousClock.Instant,
      _ settings: CurlSettings, context: UnsafeMutableRawPointer
    ) -> Bool {
      let request = start.submission.request
      let timeout = start.submission.end - time
      let connectTimeout = start.connectEnd - time
      return unsafe setNumbers(for: request, timeout, connectTimeout, settings.configuration)
        && setTexts(for: request, start.route, settings.configuration)
        && setLists(for: request, start.route, addresses)
        && setReceivers(context)
        && setMethod(of: request)
        && setSending(of: request, settings, context)
    }

    private func setNumbers(
      for request: HTTPExchangeRequest, _ timeout: Duration, _ connectTimeout: Duration,
      _ configuration: CurlExchange.Configuration
    ) -> Bool {
      let keepsNone = configuration.httpVersion == .http2Only && request.url.hasPrefix("http:")
      let numbers = [
        (CurlOption.noSignals, 1),
        (CurlOption.protocols, CurlOption.webProtocols),
        (CurlOption.pathAsIs, 1),
        (CurlOption.httpVersion, configuration.httpVersion.number),
        // With TLS a transfer waits until HTTP/2 is negotiated, because it can then share the
        // connection. Without TLS all transfers would wait for the first response.
        (CurlOption.waitsForMultiplexing, request.url.hasPrefix("https:") ? 1 : 0),
        (CurlOption.keepsAlive, 1),
        // libcurl before version 8 breaks the second request on a connection that speaks HTTP/2
        // without TLS from its beginning.
        (CurlOption.takesFreshConnection, keepsNone ? 1 : 0),
        (CurlOption.closesConnection, keepsNone ? 1 : 0),
        (CurlOption.timeoutMilliseconds, timeout.wholeMilliseconds),
        (CurlOption.connectTimeoutMilliseconds, connectTimeout.wholeMilliseconds),
      ]
      return numbers.allSatisfy { libcurl_easy_set_number(easy, $0, $1) == 0 }
    }

    private func setTexts(
      for request: HTTPExchangeRequest, _ route: CurlRoute,
      _ configuration: CurlExchange.Configuration
    ) -> Bool {
      let texts = [
        (CurlOption.url, request.url),
        // With both options set libcurl ignores the environment.
        (CurlOption.proxy, route.proxy), (CurlOption.hostsWithoutProxy, ""),
        (CurlOption.authorityFile, configuration.certificateAuthorityFile),
        (CurlOption.certificateFile, configuration.clientCertificate?.certificateFile),
        (CurlOption.keyFile, configuration.clientCertificate?.keyFile),
        (CurlOption.keyPassword, configuration.clientCertificate?.password),
        (CurlOption.unixSocketPath, configuration.unixSocketPath),
      ]
      // Safe: libcurl copies texts.
      return texts.allSatisfy { option, text in
        text.map { unsafe libcurl_easy_set_text(easy, option, $0) == 0 } ?? true
      }
    }

    private func setLists(
      for request: HTTPExchangeRequest, _ route: CurlRoute, _ addresses: [String]
    ) -> Bool {
      // Without an empty `Expect`, libcurl would wait for a response before it sends a long body.
      var lines = ["Expect:"] + request.headers.map(\.line)
      if GzipDecoder.isAvailable, request.headers.firstValue(named: "Accept-Encoding") == nil {
        lines.append("Accept-Encoding: gzip")
      }
      guard set(lines, CurlOption.headers) else { return false }
      guard let line = route.line(addresses) else { return true }
      return set([line], CurlOption.addresses)
    }

    /// Sets a list of lines, which is not empty.
    private func set(_ lines: [String], _ option: Int32) -> Bool {
      var list: libcurl_list = 0
      var last: libcurl_list = 0
      for line in lines {
        // Safe: libcurl copies the line.
        last = unsafe libcurl_list_append(last, line)
        if last == 0 {
          libcurl_list_destroy(list)
          return false
        }
        if list == 0 { list = last }
      }
      lists.append(list)
      return libcurl_easy_set_list(easy, option, list) == 0
    }

    private func setReceivers(_ context: UnsafeMutableRawPointer) -> Bool {
      // Safe, here and in `setSending`: the callbacks receive the context only.
      unsafe libcurl_easy_set_receiver(easy, CurlOption.bodyReceiver, receiveBodyBytes) == 0
        && libcurl_easy_set_bytes(easy, CurlOption.bodyContext, context) == 0
        && libcurl_easy_set_receiver(easy, CurlOption.headerReceiver, receiveHeaderBytes) == 0
        && libcurl_easy_set_bytes(easy, CurlOption.headerContext, context) == 0
    }

    private func setMethod(of request: HTTPExchangeRequest) -> Bool {
      let isSet =
        request.hasNoBody
        ? libcurl_easy_set_number(easy, CurlOption.get, 1) == 0
        : libcurl_easy_set_number(easy, CurlOption.post, 1) == 0
          && libcurl_easy_set_size(easy, CurlOption.bodySize, Int64(request.body.count)) == 0
      return unsafe isSet
        && libcurl_easy_set_text(easy, CurlOption.method, request.method.rawValue) == 0
    }

    /// Ensures that the request is sent once, and sets the source of the body.
    ///
    /// When a kept connection is lost before the first byte of the response, libcurl sends the
    /// request again. The server may have processed it already.
    private func setSending(
      of request: HTTPExchangeRequest, _ settings: CurlSettings, _ context: UnsafeMutableRawPointer
    ) -> Bool {
      if settings.asksBeforeSending {
        return unsafe libcurl_easy_set_question(easy, isAboutToSend, context) == 0
          && (request.hasNoBody || copyBody(of: request))
      }
      // An older libcurl does not resend a body that it cannot rewind. On a new connection it has
      // nothing to resend.
      if request.body.isEmpty {
        return libcurl_easy_set_number(easy, CurlOption.takesFreshConnection, 1) == 0
          && (request.hasNoBody || copyBody(of: request))
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
    static let closesConnection: Int32 = 75
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
