#if os(Linux)
  import CInstantSearchCurl

  /// Numbers of `<curl/curl.h>`.
  enum CurlOption {
    // Of all transfers.
    static let cachedConnections: Int32 = 6

    // Of one transfer: numbers.
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

    // Texts, bytes and pointers.
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

    /// HTTP/2 where TLS negotiates it.
    static let http2OverTLS = 4
    /// HTTP/1.1.
    static let http1Only = 2
    /// HTTP/2 without asking.
    static let http2Only = 5
    /// HTTP and HTTPS.
    static let webProtocols = 3
  }
#endif
