extension AlgoliaTransport: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The application and its hosts; never the key.
  public var description: String {
    "AlgoliaTransport(appID: \(appID), hosts: \(hosts))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The application and its hosts; never the key.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["appID": appID, "hosts": hosts.description], displayStyle: .class)
  }
}
