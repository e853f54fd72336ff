package import InstantSearchJSON

/// Settings of the search by meaning; used with the mode `neuralSearch` only.
public struct SemanticSearch: Sendable, Hashable, Codable {
  /// The indices whose events teach the search; `.null` takes the current index and its replicas,
  /// `nil` leaves the setting as it is.
  public var eventSources: Nullable<[String]>?

  /// Creates the settings.
  public init(eventSources: Nullable<[String]>? = nil) { self.eventSources = eventSources }

  /// Creates the settings with the indices whose events teach the search.
  public init(eventSources: [String]) { self.eventSources = .value(eventSources) }

  /// Reads any of the accepted forms, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value as the contract has it, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension SemanticSearch: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "object" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    guard node.kind == .object else { throw Self.mismatch(node) }
    self.init()
    guard let sources = node["eventSources"] else { return }
    do throws(SearchParameterMismatch) {
      eventSources = try Nullable(parameter: sources)
    } catch {
      throw error.inside("eventSources")
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    writer.beginObject()
    if let eventSources {
      writer.key("eventSources")
      eventSources.writeParameter(to: &writer)
    }
    writer.endObject()
  }
}
