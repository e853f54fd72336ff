#if os(Linux)
  import CInstantSearchCurl
#endif

/// The library of the system that secures connections, OpenSSL on most Linux systems.
enum TLSLibrary {
  /// Keeps the library from cleaning up while threads of `URLSession` still use it, at the end of
  /// the process; to be called before the first session is made.
  ///
  /// It has no effect when the program has made sessions of its own earlier.
  static func prepareForExit() {
    #if os(Linux)
      _ = libcurl_is_available()
    #endif
  }
}
