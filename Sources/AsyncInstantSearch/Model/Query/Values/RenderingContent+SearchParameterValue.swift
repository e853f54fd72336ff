package import InstantSearchJSON

extension RenderingContent: SearchParameterValue {
  package static var expectation: String { "object" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    do {
      try self.init(node: node, options: JSONDecodingOptions())
    } catch {
      throw Self.mismatch(node)
    }
  }

  package func writeParameter(to writer: inout JSONWriter) { write(to: &writer) }
}
