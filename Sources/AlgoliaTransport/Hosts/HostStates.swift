/// What a transport has learnt about its hosts; its callers pass the time.
///
///     up --network error, 5xx--> down          up --timeout--> up, later and with more time
///     either --2xx, or the time to live after the last change--> up, as at first
///
/// A host that is down is not asked. One that timed out is asked after those that did not, and is
/// given more time with each timeout, as on a slow network all of them time out.
struct HostStates: Sendable {
  /// How a host did, where that says something about it.
  enum Observation: Sendable {
    /// A status of 2xx.
    case answered
    /// No answer in time.
    case timedOut
    /// No connection, a lost one, or a status that another host may not give.
    case failed
  }

  /// A host that one call may ask.
  struct Candidate: Sendable {
    let host: AlgoliaHost
    /// By what the timeouts are multiplied.
    let timeoutMultiplier: Int
    fileprivate let index: Int
    fileprivate let resetCount: Int
  }

  private struct State {
    var isUp = true
    /// How many timeouts there were one after the other, each with more time than the one before.
    var timeoutCount = 0
    /// When the last timeout or failure was noted; `nil` when all is as at first.
    var changed: Duration?
    /// How often all became as at first.
    var resetCount = 0

    mutating func reset() {
      if changed != nil { self = State(resetCount: resetCount + 1) }
    }
  }

  /// By how much timeouts may grow.
  static let maximumTimeoutMultiplier = 6

  private let list: HostList
  private let timeToLive: Duration
  private var states: [State]

  /// Begins with all hosts up.
  init(_ list: HostList, timeToLive: Duration) {
    self.list = list
    self.timeToLive = timeToLive
    states = Array(repeating: State(), count: list.hosts.count)
  }

  /// The hosts that a call is to ask, first to last; all that take it when none of those is up.
  mutating func candidates(
    for callType: TransportRequest.CallType, at now: Duration
  ) -> [Candidate] {
    let taking = list.hosts.indices.filter { list.hosts[$0].callTypes.contains(callType) }
    for index in taking {
      if let changed = states[index].changed, now - changed >= timeToLive { states[index].reset() }
    }
    var asked = taking.filter { states[$0].isUp }
    if asked.isEmpty {
      for index in taking { states[index].reset() }
      asked = taking
    }
    // The position as well, as sorting may change the order of equals.
    asked.sort { (states[$0].timeoutCount, $0) < (states[$1].timeoutCount, $1) }
    return asked.map { index in
      Candidate(
        host: list.hosts[index],
        timeoutMultiplier: min(states[index].timeoutCount + 1, Self.maximumTimeoutMultiplier),
        index: index,
        resetCount: states[index].resetCount)
    }
  }

  /// Notes how a host did.
  mutating func record(_ observation: Observation, for candidate: Candidate, at now: Duration) {
    switch observation {
    case .answered:
      states[candidate.index].reset()
    case .timedOut:
      // Calls that were given the same time at the same moment learn the same thing, once; and
      // one that began before a reset is the first to find it out after that.
      let isOfBefore = candidate.resetCount != states[candidate.index].resetCount
      states[candidate.index].timeoutCount = max(
        states[candidate.index].timeoutCount, isOfBefore ? 1 : candidate.timeoutMultiplier)
      states[candidate.index].changed = now
    case .failed:
      states[candidate.index].isUp = false
      states[candidate.index].changed = now
    }
  }
}

/// The hosts of a transport, in the order in which they are asked while none has failed.
struct HostList: Sendable, CustomStringConvertible {
  /// The hosts, first to last.
  let hosts: [AlgoliaHost]

  /// How many of Algolia's hosts a call may ask.
  static let count = 4

  /// Takes hosts as they are given, in their order.
  init(custom hosts: [AlgoliaHost]) {
    self.hosts = hosts
  }

  /// Makes Algolia's list for an application.
  ///
  /// Reads begin at the host of the distributed network, writes at the primary host. Behind either
  /// stand the same three of another domain, so that one failing DNS provider does not take all
  /// hosts away; their order is drawn here, once, to spread the load of many clients.
  init(appID: String, using generator: inout some RandomNumberGenerator) {
    let fallbacks = (1...3).map { AlgoliaHost("\(appID)-\($0).algolianet.com") }
    hosts =
      [
        AlgoliaHost("\(appID)-dsn.algolia.net", callTypes: [.read]),
        AlgoliaHost("\(appID).algolia.net", callTypes: [.write]),
      ] + fallbacks.shuffled(using: &generator)
  }

  /// The hosts, in order.
  var description: String {
    "[" + hosts.map(\.description).joined(separator: ", ") + "]"
  }
}

/// A host that answers the REST contract.
public struct AlgoliaHost: Sendable, Hashable, CustomStringConvertible {
  /// How a host is spoken to.
  public enum Scheme: String, Sendable, Hashable {
    /// In clear text: for a server on the same machine or behind the same wall.
    case http
    /// Over TLS.
    case https
  }

  /// The name or address, such as `search.example.com`, `127.0.0.1` or `::1`.
  public var name: String

  /// The scheme; HTTPS by default.
  public var scheme: Scheme

  /// The port; `nil`, the default, means the scheme's.
  public var port: Int?

  /// The calls the host takes; both by default.
  public var callTypes: Set<TransportRequest.CallType>

  /// Creates a host.
  public init(
    _ name: String,
    scheme: Scheme = .https,
    port: Int? = nil,
    callTypes: Set<TransportRequest.CallType> = [.read, .write]
  ) {
    self.name = name
    self.scheme = scheme
    self.port = port
    self.callTypes = callTypes
  }

  /// The host as it stands in a URL, with the port where one is set.
  public var description: String {
    let host = name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]" : name
    return port.map { "\(host):\($0)" } ?? host
  }

  /// The URL of the host's root, without a slash at the end.
  var origin: String { "\(scheme.rawValue)://\(description)" }
}

extension AlgoliaHost {
  /// What keeps the host out of a URL; `nil` when nothing does.
  ///
  /// A name is held to the characters of names and addresses, as the key is sent to whatever host
  /// the URL then means: `example.com/`, `user@example.com` and the like are refused.
  var validationMessage: String? {
    if name.isEmpty { return "A host has no name." }
    if name.utf8.contains(UInt8(ascii: ":")) {
      if !isAddress {
        return
          "The host name \(name.debugDescription) is no IPv6 address, and no other name has colons; scheme and port are given apart."
      }
    } else if !name.utf8.allSatisfy({ Self.isLabelByte($0) || $0 == UInt8(ascii: ".") }) {
      return "The host name \(name.debugDescription) has characters that a host name cannot have."
    }
    if let port, !(1...65_535).contains(port) {
      return "The port \(port) of host \(name) is not in 1...65535."
    }
    return nil
  }

  /// Whether the name has what an IPv6 address has.
  private var isAddress: Bool {
    name.utf8.count { $0 == UInt8(ascii: ":") } >= 2
      && name.utf8.allSatisfy { "0123456789abcdefABCDEF:.".utf8.contains($0) }
  }

  /// Whether a text can be part of a host name as it is: letters, digits, `-` and `_`.
  static func isLabel(_ text: String) -> Bool {
    text.utf8.allSatisfy(isLabelByte)
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "-_".utf8.contains(byte)
  }
}
