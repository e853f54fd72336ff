import InstantSearchJSON

/// A revision of the Model Context Protocol.
package enum ToolRevision: String, Sendable, CaseIterable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  case july2026 = "2026-07-28"

  /// The revisions in which each request names its revision.
  package static let stateless: [ToolRevision] = [.july2026]
  /// The revisions that begin with `initialize`.
  package static let withHandshake: [ToolRevision] = allCases.filter { !$0.isStateless }
  /// The newest one that begins with `initialize`.
  package static let newestWithHandshake = ToolRevision.november2025

  /// The revision of a connection for which a client asks for a revision by its name.
  ///
  /// It is never 2025-03-26, whose servers must accept several messages in one.
  static func negotiated(_ name: String?) -> ToolRevision {
    withHandshake.first { $0.rawValue == name && $0 != .march2025 } ?? newestWithHandshake
  }

  /// Whether each request stands alone.
  package var isStateless: Bool { self == .july2026 }
  /// Whether results have structured content and tools have titles and output schemas.
  var hasStructuredContent: Bool { self != .november2024 && self != .march2025 }
}

/// The ID of a request.
package enum ToolRequestID: Sendable, Hashable {
  case number(Int64)
  case text(String)

  init?(_ node: JSONNode?) {
    if let text = node?.string {
      self = .text(text)
    } else if let node, node.kind == .number, let number = node.int64 {
      self = .number(number)
    } else {
      return nil
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .number(let number): .int(number)
    case .text(let text): .string(text)
    }
  }
}

/// A request of a client.
package struct ToolRequest: Sendable {
  package let id: ToolRequestID
  package let method: String
  package let parameters: [String: JSON]

  /// The members of `_meta`.
  private var metadata: [String: JSON] { parameters["_meta"]?.objectValue ?? [:] }

  /// The name of the member that has the revision of a request.
  private static let revisionName = "io.modelcontextprotocol/protocolVersion"
  private static let capabilitiesName = "io.modelcontextprotocol/clientCapabilities"

  /// The revision that the request names; `nil` if it names none.
  package var revisionText: JSON? { metadata[Self.revisionName] }

  /// The revision of a request that stands alone.
  ///
  /// - Throws: `invalidParameters` if it lacks what such a request needs, and
  ///   `unsupportedRevision` for another revision.
  package var statelessRevision: ToolRevision {
    get throws(ToolError) {
      guard let text = revisionText?.stringValue,
        metadata[Self.capabilitiesName]?.objectValue != nil
      else {
        throw ToolError(
          .invalidParameters,
          "params._meta needs a text \(Self.revisionName) and an object \(Self.capabilitiesName)."
            + " A client of an older revision begins with initialize.", id: id)
      }
      return try Self.stateless(text, for: id)
    }
  }

  /// The stateless revision with a name.
  package static func stateless(
    _ text: String, for id: ToolRequestID? = nil
  ) throws(ToolError) -> ToolRevision {
    guard let revision = ToolRevision.stateless.first(where: { $0.rawValue == text }) else {
      throw ToolError(
        .unsupportedRevision, "The revision is not supported.",
        data: [
          "supported": .array(ToolRevision.allCases.reversed().map { .string($0.rawValue) }),
          "requested": .string(text.cut(to: 60) ?? text),
        ], id: id)
    }
    return revision
  }
}

/// An error of the protocol.
package struct ToolError: Error {
  /// The codes, of JSON-RPC and of the protocol.
  package enum Code: Int64, Sendable {
    case parse = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParameters = -32602
    /// The service cannot answer.
    case failed = -32603
    case headerMismatch = -32020
    case unsupportedRevision = -32022
    /// The service refuses the request: an unknown key, or too many requests.
    case refused = -32000
  }

  package let code: Code
  package let message: String
  package let data: JSON?
  /// The ID of the request, if it could be read.
  package private(set) var id: ToolRequestID?

  package init(_ code: Code, _ message: String, data: JSON? = nil, id: ToolRequestID? = nil) {
    self.code = code
    self.message = message
    self.data = data
    self.id = id
  }
}

/// A message of a client, and the messages that answer it.
package enum ToolMessage: Sendable {
  case request(ToolRequest)
  /// A notification, which gets no response.
  case notification(method: String, parameters: [String: JSON])
  /// A response, for which this server has sent no request.
  case response

  /// The deepest nesting of a message.
  private static let maximumDepth = 64

  /// Reads a message.
  package init(_ bytes: [UInt8]) throws(ToolError) {
    let root: JSONNode
    do {
      root = try JSONDocument(bytes, maximumDepth: Self.maximumDepth).root
    } catch {
      throw ToolError(.parse, "The message is not JSON: \(error.message).")
    }
    guard root.kind == .object else {
      throw ToolError(.invalidRequest, "A message must be one JSON object. There are no batches.")
    }
    let id = ToolRequestID(root["id"])
    for member in root.members where member.isSuperseded {
      throw ToolError(.invalidRequest, "A member of the message occurs twice.", id: id)
    }
    guard root["jsonrpc"]?.string == "2.0" else {
      throw ToolError(.invalidRequest, "A message needs jsonrpc \"2.0\".", id: id)
    }
    guard let method = root["method"] else {
      guard root["id"] != nil, root["result"] != nil || root["error"] != nil else {
        throw ToolError(.invalidRequest, "A request needs a method.", id: id)
      }
      self = .response
      return
    }
    guard let name = method.string else {
      throw ToolError(.invalidRequest, "The method must be a text.", id: id)
    }
    let parameters = try Self.parameters(root["params"], id)
    guard root["id"] != nil else {
      self = .notification(method: name, parameters: parameters)
      return
    }
    guard let id else {
      throw ToolError(.invalidRequest, "The id must be a text or an integer.")
    }
    self = .request(ToolRequest(id: id, method: name, parameters: parameters))
  }

  private static func parameters(
    _ node: JSONNode?, _ id: ToolRequestID?
  ) throws(ToolError) -> [String: JSON] {
    guard let node else { return [:] }
    guard let members = JSON(node: node).objectValue else {
      throw ToolError(.invalidRequest, "params must be an object.", id: id)
    }
    // Another parser could read the other one: a proxy that checks names, for example.
    guard !node.hasRepeatedNames else {
      throw ToolError(.invalidRequest, "A member of params occurs twice.", id: id)
    }
    return members
  }

  /// The ID of the request that a notification cancels; `nil` for another notification.
  package var cancelledID: ToolRequestID? {
    guard case .notification("notifications/cancelled", let parameters) = self else { return nil }
    switch parameters["requestId"] {
    case .string(let text): return .text(text)
    case .int(let number): return .number(number)
    default: return nil
    }
  }

  // MARK: Responses

  /// The response with a result.
  static func response(
    to id: ToolRequestID, result: [String: JSON], in revision: ToolRevision, from server: ToolServer
  ) -> [UInt8] {
    var result = result
    if revision.isStateless {
      result["resultType"] = "complete"
      result["_meta"] = ["io.modelcontextprotocol/serverInfo": server.serverInfo]
    }
    return JSON.object(["jsonrpc": "2.0", "id": id.json, "result": .object(result)]).bytes
  }

  /// The response with an error.
  ///
  /// - Parameter id: The ID of the request; `nil` if it is not known.
  package static func response(to id: ToolRequestID?, error: ToolError) -> [UInt8] {
    var members: [String: JSON] = [
      "code": .int(error.code.rawValue), "message": .string(error.message),
    ]
    if let data = error.data { members["data"] = data }
    return JSON.object([
      "jsonrpc": "2.0", "id": (id ?? error.id)?.json ?? .null, "error": .object(members),
    ]).bytes
  }
}

extension JSONNode {
  /// Whether an object in this value has two members with one name.
  fileprivate var hasRepeatedNames: Bool {
    var rest = [self]
    while let node = rest.popLast() {
      switch node.kind {
      case .object:
        for member in node.members {
          if member.isSuperseded { return true }
          rest.append(member.value)
        }
      case .array: rest.append(contentsOf: node.elements)
      default: break
      }
    }
    return false
  }
}
