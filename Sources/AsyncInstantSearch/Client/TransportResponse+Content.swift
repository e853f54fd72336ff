extension TransportResponse {
  /// Whether the status says that something may be wrong with what the call holds.
  ///
  /// The other errors of 4xx are about the account, the key, the method or the moment: a call with
  /// any other content has them as well. Statuses of 403 and 404 may be about either.
  package var isPerhapsOfContent: Bool {
    (400..<500).contains(status) && ![401, 402, 405, 407, 408, 425, 429].contains(status)
  }
}
