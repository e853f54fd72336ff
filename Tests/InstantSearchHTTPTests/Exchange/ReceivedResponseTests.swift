#if os(Linux)
  import InstantSearchHTTP
  import TestSupport
  import Testing

  /// What a connection gives, line by line, and what the caller receives of it.
  struct ReceivedResponseTests {
    private static let lostConnection: Int32 = 56

    private func response(
      _ lines: [String], body: String = "", maximumBodySize: Int = 100
    ) -> ReceivedResponse {
      var response = ReceivedResponse(maximumBodySize: maximumBodySize)
      response.status = 200
      for line in lines { _ = response.receiveHeader(line + "\r\n") }
      _ = response.receive(Array(body.utf8))
      return response
    }

    private func error(_ response: ReceivedResponse, code: Int32 = 0) -> HTTPExchangeError? {
      response.result(code: code).failure as? HTTPExchangeError
    }

    @Test func headersAreThoseOfTheFinalResponse() throws {
      var response = response(
        ["HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/1.1 200 OK", "A:  b ", "C:", ""],
        body: "{}")
      _ = response.receiveHeader("Trailer: x\r\n")
      let result = try response.result(code: 0).get()
      #expect(result.status == 200 && result.body == Array("{}".utf8))
      expectEqual(result.headers.map(\.name), ["A", "C"])
      expectEqual(result.headers.map(\.value), ["b", ""])
    }

    @Test func incompleteHeadersAreNoResponse() {
      #expect(error(response(["HTTP/1.1 200 OK", "A: b"])) != nil)
      #expect(error(response(["HTTP/1.1 103 Early Hints", "", "HTTP/1.1 200 OK"])) != nil)
      #expect(error(response(["HTTP/1.1 200 OK", ""])) == nil)
    }

    /// The refusal of a proxy is not the end of a connection to the host.
    @Test func refusalOfAProxyIsNamed() {
      var response = response(["HTTP/1.1 403 Forbidden", ""])
      response.proxyStatus = 403
      expectEqual(
        error(response, code: Self.lostConnection)?.reason,
        "the proxy refused the connection (status 403)")
      response.proxyStatus = 200
      expectEqual(
        error(response, code: Self.lostConnection)?.reason, "connection lost (libcurl 56)")
    }

    @Test func bodiesAndHeadersAreLimited() {
      let head = ["HTTP/1.1 200 OK", ""]
      #expect(error(response(head, body: "123", maximumBodySize: 3)) == nil)
      let tooLong = error(response(head, body: "1234", maximumBodySize: 3))
      expectEqual(tooLong?.reason, "the response is longer than 3 bytes")
      var headers = response(["HTTP/1.1 200 OK"])
      let line = "A: " + String(repeating: "b", count: 1 << 19) + "\r\n"
      expectEqual([0, 1].map { _ in headers.receiveHeader(line) }, [true, false])
    }

    /// Only a kept connection that ended before the first byte of a response is stale.
    @Test func lostKeptConnectionIsStaleBeforeTheFirstByte() {
      func isStale(kept: Bool, _ lines: [String], code: Int32 = Self.lostConnection) -> Bool {
        var response = response(lines)
        response.usedKeptConnection = kept
        return error(response, code: code) == .staleConnection
      }
      #expect(isStale(kept: true, []))
      #expect(!isStale(kept: false, []))
      #expect(!isStale(kept: true, ["HTTP/1.1 200 OK"]))
      #expect(!isStale(kept: true, [], code: 28))
    }
  }
#endif
