import InstantSearchJSON

extension SearchError {
  /// Describes the failure of a decoder as an error of code `decoding`.
  package init(decodingFailure error: any Error, indexName: String? = nil) {
    if let error = error as? SearchError {
      self = error
    } else if let error = error as? JSONError {
      self.init(.decoding, "the text is not JSON: \(error)", indexName: indexName)
    } else {
      let problem = DecodingProblem(error)
      let place =
        problem.codingPath.isEmpty ? "" : "at \(problem.codingPath.joined(separator: ".")): "
      self.init(.decoding, place + problem.reason, indexName: indexName)
    }
  }

  /// Describes the failure of an encoder as an error of code `invalidRequest`.
  package init(encodingFailure error: any Error) {
    if let error = error as? SearchError {
      self = error
    } else if case EncodingError.invalidValue(_, let context) = error {
      let path = DecodingProblem.steps(context.codingPath).joined(separator: ".")
      let place = path.isEmpty ? "" : "at \(path): "
      self.init(.invalidRequest, "cannot be encoded: " + place + context.debugDescription)
    } else {
      self.init(.invalidRequest, "cannot be encoded: " + String(describing: error))
    }
  }
}
