import AsyncInstantSearchTesting
import Foundation
import InstantSearchAPI
import InstantSearchHTTP
import LocalSearch
import TestSupport
import Testing

@testable import TypesenseTransport

struct TypesenseTransportTests {
  private static let key = "a-secret-admin-key"

  private func transport(
    nodes: [SearchHost] = [SearchHost("node.example")], key: String = key,
    changing change: (inout TypesenseTransport.Configuration) -> Void = { _ in },
    exchange: @escaping HTTPExchange
  ) -> TypesenseTransport {
    var own = TypesenseTransport.Configuration.patient(ManualClock(), exchange: exchange)
    own.serverVersion = 0
    change(&own)
    return TypesenseTransport(nodes: nodes, apiKey: key, configuration: own)
  }

  private static let search = TransportRequest(
    .search(index: "films"), body: Array("{}".utf8))

  @Test("A wrong configuration is told by every call, and sends nothing")
  func configuration() async {
    let sent = Lock(0)
    let exchange: HTTPExchange = { _ in
      sent.withLock { $0 += 1 }
      return HTTPExchangeResponse(status: 200)
    }
    for (transport, part) in [
      (transport(nodes: [], exchange: exchange), "no nodes"),
      (transport(key: "", exchange: exchange), "API key"),
      (transport(nodes: [SearchHost("a/b")], exchange: exchange), "host name"),
      (transport(changing: { $0.directory = "a~b" }, exchange: exchange), "directory"),
      (transport(changing: { $0.readTimeout = .zero }, exchange: exchange), "timeout"),
      (transport(changing: { $0.retryInterval = .zero }, exchange: exchange), "retryInterval"),
      (transport(changing: { $0.propagation = .seconds(-1) }, exchange: exchange), "propagation"),
    ] {
      let error = await #expect(throws: SearchError.self) {
        _ = try await transport.send(Self.search)
      }
      expectEqual(error?.code, .invalidRequest)
      #expect(error?.message.contains(part) ?? false, "\(error as Any)")
    }
    expectEqual(sent.withLock { $0 }, 0)
  }

  @Test("The key is in a header, and in no text")
  func privacy() async throws {
    let transport = transport { request in
      expectEqual(
        request.headers.first { $0.name == "X-TYPESENSE-API-KEY" }?.value, Self.key)
      return HTTPExchangeResponse(
        status: 400, body: Array(#"{"message":"bad key \#(Self.key)"}"#.utf8))
    }
    var texts = ["\(transport)", String(reflecting: transport)]
    var dumped = ""
    dump(transport, to: &dumped)
    texts.append(dumped)
    let response = try await transport.send(Self.search)
    texts.append(String(decoding: response.body, as: UTF8.self))
    expectEqual(response.status, 400)
    for text in texts { #expect(!text.contains(Self.key), "\(text)") }
  }

  @Test(
    "Statuses of the server become statuses of the contract",
    arguments: [(401, 403), (400, 400), (408, 408), (429, 429)])
  func statuses(server: Int, contract: Int) async throws {
    let transport = transport { _ in HTTPExchangeResponse(status: server) }
    let response = try await transport.send(Self.search)
    expectEqual(response.status, contract)
  }

  @Test("An index that does not exist is told as in the contract")
  func missingIndex() async throws {
    let transport = transport { _ in
      HTTPExchangeResponse(
        status: 200, body: Array(#"{"results":[{"code":404,"error":"Not found."}]}"#.utf8))
    }
    let response = try await transport.send(Self.search)
    expectEqual(response.status, 404)
    #expect(String(decoding: response.body, as: UTF8.self).contains("Index films does not exist"))
  }

  @Test("What is no answer is an error", arguments: ["", "[]", "{", #"{"results":[]}"#, "null"])
  func strangeAnswers(body: String) async {
    let transport = transport { _ in
      HTTPExchangeResponse(status: 200, body: Array(body.utf8))
    }
    await #expect(throws: SearchError.self) { _ = try await transport.send(Self.search) }
  }

  @Test("A scoped key has the form of the server, and cannot be empty by mistake")
  func scopedKeys() throws {
    // Checked with the form in the server's documentation: base64(base64(HMAC) + prefix + JSON).
    let key = try TypesenseTransport.scopedKey(
      parentKey: "RN23GFr1s6jQ9kgSNg2O7fYcAUXU7127",
      validUntil: Date(timeIntervalSince1970: 1_906_054_106))
    let text = String(decoding: try #require(Data(base64Encoded: key)), as: UTF8.self)
    #expect(text.hasSuffix(#"RN23{"expires_at":1906054106}"#))
    expectEqual(text.utf8.count, 44 + 4 + 25)
    for filters in ["", "  ", "price > 5", "a:"] {
      #expect(throws: SearchError.self, "\(filters)") {
        try TypesenseTransport.scopedKey(parentKey: "0123456789", filters: filters)
      }
    }
    #expect(throws: SearchError.self) { try TypesenseTransport.scopedKey(parentKey: "") }
  }

  @Test("Calls that the cluster does not have are refused")
  func otherCalls() async throws {
    let transport = transport { _ in HTTPExchangeResponse(status: 200, body: Array("{}".utf8)) }
    for endpoint in [Endpoint.recommendations, .places, .logs, .keys(.list), .events] {
      let response = try await transport.send(TransportRequest(endpoint))
      expectEqual(response.status, 402)
    }
  }
}
