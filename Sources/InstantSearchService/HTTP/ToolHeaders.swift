#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The headers of a message of the Model Context Protocol, which say its revision and repeat parts
/// of its body.
///
/// Source: "Streamable HTTP" in the revision 2026-07-28.
struct ToolHeaders {
  private let fields: [String: [String]]

  private static let revisionName = "mcp-protocol-version"
  private static let methodName = "mcp-method"
  private static let nameName = "mcp-name"

  init(_ headers: [HTTPHeader]) {
    var fields: [String: [String]] = [:]
    for header in headers {
      fields[header.name.lowercased(), default: []].append(header.value.trimmingSpaces())
    }
    self.fields = fields
  }

  /// The value of a header; `nil` without one.
  ///
  /// - Throws: `headerMismatch` for several: a proxy could read another one.
  private func value(_ name: String) throws(ToolError) -> String? {
    let values = fields[name] ?? []
    guard values.count < 2 else {
      throw ToolError(.headerMismatch, "The header \(name) occurs twice.")
    }
    return values.first
  }

  /// Whether the revision is one in which each request stands alone, or an unknown one. A message
  /// without the header is of an older one.
  var isStateless: Bool {
    get throws(ToolError) {
      guard let text = try value(Self.revisionName) else { return false }
      return !ToolRevision.withHandshake.contains { $0.rawValue == text }
    }
  }

  /// Checks the revision of a notification, which has no body to compare it with.
  func checkRevision() throws(ToolError) {
    if try isStateless { _ = try ToolRequest.stateless(value(Self.revisionName) ?? "") }
  }

  /// Returns the revision in which a request is answered.
  ///
  /// - Throws: `headerMismatch` if a header does not repeat the body, and the errors of the body.
  func revision(of request: ToolRequest) throws(ToolError) -> ToolRevision {
    do throws(ToolError) {
      let text = try value(Self.revisionName)
      guard try isStateless || request.revisionText != nil else {
        // Revisions before June 2025 have no header.
        return ToolRevision.allCases.first { $0.rawValue == text } ?? .march2025
      }
      guard let named = request.revisionText else { return try request.statelessRevision }
      guard let text, named.stringValue?.utf8.elementsEqual(text.utf8) == true else {
        throw ToolError(.headerMismatch, "The header \(Self.revisionName) must repeat the body.")
      }
      guard try value(Self.methodName)?.utf8.elementsEqual(request.method.utf8) == true else {
        throw ToolError(.headerMismatch, "The header \(Self.methodName) must repeat the method.")
      }
      if request.method == "tools/call", let name = request.parameters["name"]?.stringValue {
        let repeated = try value(Self.nameName).flatMap(Self.decoded)
        guard repeated?.utf8.elementsEqual(name.utf8) == true else {
          throw ToolError(
            .headerMismatch, "The header \(Self.nameName) must repeat the name of the tool.")
        }
      }
      return try request.statelessRevision
    } catch {
      throw ToolError(error.code, error.message, data: error.data, id: request.id)
    }
  }

  /// Decodes a value that may be written as `=?base64?…?=`; `nil` if it is malformed.
  private static func decoded(_ value: String) -> String? {
    let (start, end) = ("=?base64?", "?=")
    guard value.hasPrefix(start), value.hasSuffix(end), value.utf8.count >= start.count + end.count
    else { return value }
    let text = String(value.dropFirst(start.count).dropLast(end.count))
    // Only the form that an encoder writes, which is one text for one name.
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
      return nil
    }
    return String(validating: data, as: UTF8.self)
  }

  /// The status of a response. In older revisions, an error that answers a request has status 200.
  func status(of error: ToolError?) -> Int {
    guard let error, (try? isStateless) ?? true else { return 200 }
    return error.code == .methodNotFound ? 404 : 400
  }
}

extension ServiceRequest {
  /// Whether the client takes JSON. A request without the header takes anything.
  var acceptsJSON: Bool {
    let values = headers.filter { $0.name.lowercased() == "accept" }.map { $0.value.lowercased() }
    let types = values.flatMap { $0.split(separator: ",") }.map { entry in
      String(entry.prefix { $0 != ";" }).trimmingSpaces()
    }
    return types.isEmpty
      || types.contains { ["application/json", "application/*", "*/*"].contains($0) }
  }
}
