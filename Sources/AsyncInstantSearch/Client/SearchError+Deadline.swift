extension SearchError {
  /// A call's deadline passed first.
  package static var deadlinePassed: SearchError {
    SearchError(.timedOut, "The deadline passed before there was an answer.")
  }
}
