package import InstantSearchJSON

// As a search parameter a point is the text `lat,lng`; on its own it is an object.
extension Point: SearchParameterValue {
  package static var expectation: String {
    "\"lat,lng\" with lat from -90 to 90 and lng from -180 to 180"
  }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    guard let point = node.string.flatMap({ Point($0) }) else { throw Self.mismatch(node) }
    self = point
  }

  package func writeParameter(to writer: inout JSONWriter) { writer.string(description) }

  package var urlText: String { description }
}
