package import InstantSearchJSON

/// A parameter that is on or off, or on for some languages.
package protocol SwitchOrLanguages: SearchParameterType {
  /// On for the languages of `queryLanguages`, or off.
  static func enabled(_ value: Bool) -> Self
  /// On for these languages.
  static func languages(_ languages: [Language]) -> Self
  /// What the value is.
  var switchOrLanguages: EitherSwitchOrLanguages { get }
}

/// The two things a ``SwitchOrLanguages`` can be.
package enum EitherSwitchOrLanguages: Sendable {
  case isOn(Bool)
  case languages([Language])
}

extension SwitchOrLanguages {
  package static var expectation: String { "boolean or array of strings" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: node) {
      self = .enabled(value)
    } else if let languages = Language.list(node) {
      self = .languages(languages)
    } else {
      throw Self.mismatch(node)
    }
  }

  package init(urlText: String) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: urlText) {
      self = .enabled(value)
    } else if let languages = try? [Language](urlText: urlText) {
      self = .languages(languages)
    } else {
      throw Self.mismatch(try JSONNode(text: urlText))
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch switchOrLanguages {
    case .isOn(let value): writer.bool(value)
    case .languages(let languages): languages.writeParameter(to: &writer)
    }
  }
}
