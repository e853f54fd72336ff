#if os(Linux)
  import AsyncInstantSearch

  /// Sorts the codes that a transfer of libcurl can end with.
  enum CurlErrorMapping {
    /// The code of a transfer whose time was up.
    static let timeout: Int32 = 28

    /// The error to throw for a code other than 0; it has the code, and nothing of the request.
    static func error(code: Int32) -> any Error {
      switch code {
      case timeout: HTTPExchangeError.timedOut
      case 3:
        SearchError(.invalidRequest, "libcurl cannot make the request (code \(code)).")
      default: HTTPExchangeError.network("\(words(for: code)) (libcurl \(code))")
      }
    }

    private static func words(for code: Int32) -> String {
      switch code {
      case 1, 8: ConnectionProblem.notHTTP.rawValue
      case 5, 6: ConnectionProblem.hostNotFound.rawValue
      case 7: ConnectionProblem.couldNotConnect.rawValue
      case 18: "connection lost before the answer was whole"
      case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91:
        ConnectionProblem.noSecureConnection.rawValue
      // 42 and 65: the connection was lost, and this exchange does not send again.
      case 42, 52, 55, 56, 65, 92: "connection lost"
      case 61: "the answer's encoding is wrong"
      default: "transfer failed"
      }
    }
  }
#endif
