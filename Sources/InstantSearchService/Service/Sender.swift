/// Who sends a request: the caller with its key, and where the request comes from.
struct Sender: Sendable {
  let caller: Caller
  let credentials: Credentials
  /// The address of the client.
  let address: String?
  let referer: String?

  init(
    _ caller: Caller, _ credentials: Credentials, _ address: String?, _ headers: [HTTPHeader]
  ) {
    self.caller = caller
    self.credentials = credentials
    self.address = address
    referer = headers.firstValue(named: "Referer")
  }

  /// Identifies the client, which has its own part of the memory and its own turn.
  var name: String { address.map(IPNetwork.subscriber) ?? caller.limits?.value ?? "" }
}
