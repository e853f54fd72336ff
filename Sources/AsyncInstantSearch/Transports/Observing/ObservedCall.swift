/// What an observer learns of a call that begins.
///
/// Nothing in it is secret, as far as the caller keeps to the contract: of all headers only the ID
/// of the request is told, and of the path all but keys and user tokens. What a caller writes into
/// an index name or a request ID is told as it is, so neither is a place for a key or for personal
/// data.
public struct ObservedCall: Sendable, Hashable, Identifiable {
  /// The number of the call, counted from 1 in each transport.
  public let id: UInt64
  /// The method and the path, as ``TransportRequest`` describes itself: keys in it are not shown.
  public let request: String
  /// Read or write.
  public let callType: TransportRequest.CallType
  /// The index in the path, as the caller named it; `nil` for a call to several indices or to none.
  public let indexName: String?
  /// The length of the body.
  public let bodyBytes: Int
  /// The value of the call's `Request-ID` header, if the caller gave it one; no other header is
  /// told.
  public let requestID: String?

  package init(_ request: TransportRequest, id: UInt64) {
    self.id = id
    self.request = request.description
    callType = request.callType
    indexName = request.endpoint.indexName
    bodyBytes = request.body.count
    requestID = request.headers.firstValue(named: "Request-ID")
  }
}
