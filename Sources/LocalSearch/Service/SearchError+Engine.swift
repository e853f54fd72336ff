import AsyncInstantSearch
import InstantSearchJSON

extension SearchError {
  /// What a caller of the engine sees of an error inside it.
  init(engine error: any Error, indexName: String?) {
    switch error {
    case let error as SearchError:
      self = error
      self.indexName = error.indexName ?? indexName
    case is CancellationError: self.init(.cancelled, "the task was cancelled", indexName: indexName)
    case let error as APIError:
      let isMissingIndex = indexName.map { error == .indexNotFound($0) } ?? false
      let code: Code =
        error.status == 404 ? (isMissingIndex ? .indexNotFound : .objectNotFound) : .invalidRequest
      self.init(code, error.message, indexName: indexName, status: error.status)
    case let error as JSONError:
      self.init(.invalidRequest, "\(error)", indexName: indexName)
    default:
      self.init(.invalidRequest, String(describing: error), indexName: indexName)
    }
  }
}
