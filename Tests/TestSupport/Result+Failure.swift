extension Result {
  /// The error of a failure.
  public var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
