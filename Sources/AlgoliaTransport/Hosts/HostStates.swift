/// The state of the hosts of a transport. Callers pass the time.
///
///     up --network error, 5xx--> down          up --timeout--> up, later and with more time
///     up --no answer before the deadline of the call--> up, later
///     either --2xx, or the time to live after the last change--> up, as initially
///
/// A host that is down is skipped. A host that timed out is tried after those that did not, with a
/// longer timeout each time, because on a slow network all of them time out.
struct HostStates: Sendable {
  /// The outcome of an attempt as far as it concerns the host.
  enum Observation: Sendable {
    /// A response with a status of 2xx.
    case answered
    /// No response before the timeout.
    case timedOut
    /// No response before the deadline of the call, which was shorter.
    case cutShort
    /// No connection, a lost one, or a status that another host may not return.
    case failed
  }

  /// A host that a call can try.
  struct Candidate: Sendable {
    let host: AlgoliaHost
    /// The factor for the timeouts.
    let timeoutMultiplier: Int
    /// The number of consecutive attempts without an answer in time.
    fileprivate let slowCount: Int
    fileprivate let index: Int
    fileprivate let resetCount: Int
  }

  private struct State {
    var isUp = true
    /// The number of consecutive timeouts, each with a longer timeout than the one before.
    var timeoutCount = 0
    /// The number of consecutive timeouts, and of deadlines that passed without a response.
    var slowCount = 0
    /// The time of the last timeout or failure, or `nil` in the initial state.
    var changed: Duration?
    /// The number of resets to the initial state.
    var resetCount = 0

    mutating func reset() {
      if changed != nil { self = State(resetCount: resetCount + 1) }
    }
  }

  /// The largest factor for the timeouts.
  static let maximumTimeoutMultiplier = 6

  private let list: HostList
  private let timeToLive: Duration
  private var states: [State]

  /// Creates the state in which all hosts are up.
  init(_ list: HostList, timeToLive: Duration) {
    self.list = list
    self.timeToLive = timeToLive
    states = Array(repeating: State(), count: list.hosts.count)
  }

  /// The hosts that a call tries, in order. If none of those that accept the call is up, all of
  /// them.
  mutating func candidates(
    for callType: Endpoint.CallType, at now: Duration
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
    // The index as well, because sorting may reorder equal elements.
    asked.sort { (states[$0].slowCount, $0) < (states[$1].slowCount, $1) }
    return asked.map { index in
      Candidate(
        host: list.hosts[index],
        timeoutMultiplier: min(states[index].timeoutCount + 1, Self.maximumTimeoutMultiplier),
        slowCount: states[index].slowCount,
        index: index,
        resetCount: states[index].resetCount)
    }
  }

  /// Records the outcome of an attempt.
  mutating func record(_ observation: Observation, for candidate: Candidate, at now: Duration) {
    switch observation {
    case .answered:
      states[candidate.index].reset()
    case .timedOut:
      // Concurrent calls with the same timeout count as one timeout. A call that began before a
      // reset counts as the first timeout after it.
      let isOfBefore = candidate.resetCount != states[candidate.index].resetCount
      states[candidate.index].timeoutCount = max(
        states[candidate.index].timeoutCount, isOfBefore ? 1 : candidate.timeoutMultiplier)
      recordSlowness(of: candidate, at: now)
    case .cutShort:
      // It had less time than a timeout, so the next timeout is not longer.
      recordSlowness(of: candidate, at: now)
    case .failed:
      states[candidate.index].isUp = false
      states[candidate.index].changed = now
    }
  }

  /// Puts a host behind the others. Concurrent calls count once, and one that began before a reset
  /// as the first.
  private mutating func recordSlowness(of candidate: Candidate, at now: Duration) {
    let isOfBefore = candidate.resetCount != states[candidate.index].resetCount
    states[candidate.index].slowCount = max(
      states[candidate.index].slowCount, isOfBefore ? 1 : candidate.slowCount + 1)
    states[candidate.index].changed = now
  }
}

extension HostStates.Candidate {
  /// Whether the host did not answer in time recently.
  var isSlow: Bool { slowCount > 0 }
}

/// The hosts of a transport, in the order in which they are tried while none has failed.
struct HostList: Sendable, CustomStringConvertible {
  /// The hosts, in order.
  let hosts: [AlgoliaHost]

  /// The number of Algolia's hosts that a call can try.
  static let count = 4

  /// Creates a list of custom hosts, in their order.
  init(custom hosts: [AlgoliaHost]) {
    self.hosts = hosts
  }

  /// Creates Algolia's list for an application.
  ///
  /// Reads begin at the host of the distributed network, writes at the primary host. Both are
  /// followed by the same three hosts of another domain, so that the failure of one DNS provider
  /// does not make all hosts unavailable. Their order is drawn here, once, to spread the load of
  /// many clients.
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

/// A host that implements the REST API.
public struct AlgoliaHost: Sendable, Hashable, CustomStringConvertible {
  /// The scheme of a host.
  public enum Scheme: String, Sendable, Hashable {
    /// Unencrypted, for a server on the same machine or in the same private network.
    case http
    /// Over TLS.
    case https
  }

  /// The name or address, such as `search.example.com`, `127.0.0.1` or `::1`.
  public var name: String

  /// The scheme. Defaults to HTTPS.
  public var scheme: Scheme

  /// The port. `nil` (the default) means the scheme's.
  public var port: Int?

  /// The types of calls that the host accepts. Defaults to both.
  public var callTypes: Set<Endpoint.CallType>

  /// Creates a host.
  public init(
    _ name: String,
    scheme: Scheme = .https,
    port: Int? = nil,
    callTypes: Set<Endpoint.CallType> = [.read, .write]
  ) {
    self.name = name
    self.scheme = scheme
    self.port = port
    self.callTypes = callTypes
  }

  /// The host as written in a URL, with the port if one is set.
  public var description: String {
    let host = name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]" : name
    return port.map { "\(host):\($0)" } ?? host
  }

  /// The URL of the host's root, without a trailing slash.
  var origin: String { "\(scheme.rawValue)://\(description)" }
}

extension AlgoliaHost {
  /// The reason why the host cannot be used in a URL, or `nil` for a valid host.
  ///
  /// Only characters of names and addresses are allowed, because the key is sent to whatever host
  /// the URL denotes: `example.com/`, `user@example.com` and the like are rejected.
  var validationMessage: String? {
    if name.isEmpty { return "The name of a host is empty." }
    if name.utf8.contains(UInt8(ascii: ":")) {
      if !isAddress {
        return
          "Invalid host name \(name.debugDescription). Pass scheme and port as separate arguments of AlgoliaHost."
      }
    } else if !name.utf8.allSatisfy({ Self.isLabelByte($0) || $0 == UInt8(ascii: ".") }) {
      return "Invalid host name \(name.debugDescription). Use letters, digits, dots, '-' and '_'."
    }
    if let port, !(1...65_535).contains(port) {
      return "The port \(port) of host \(name) is out of range 1...65535."
    }
    return nil
  }

  /// Whether the name looks like an IPv6 address.
  private var isAddress: Bool {
    name.utf8.count { $0 == UInt8(ascii: ":") } >= 2
      && name.utf8.allSatisfy { "0123456789abcdefABCDEF:.".utf8.contains($0) }
  }

  /// Whether a text can be part of a host name: letters, digits, `-` and `_`.
  static func isLabel(_ text: String) -> Bool {
    text.utf8.allSatisfy(isLabelByte)
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "-_".utf8.contains(byte)
  }
}
