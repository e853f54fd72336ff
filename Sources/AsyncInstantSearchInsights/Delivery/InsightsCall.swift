import InstantSearchJSON

/// The calls of the insights API.
enum InsightsCall {
  /// How many bytes of a body belong to no event.
  static let envelopeByteCount = #"{"events":[]}"#.utf8.count

  /// The call that sends events.
  static func events(_ records: [InsightsRecord]) -> EndpointCall {
    var writer = JSONWriter(
      capacity: records.reduce(envelopeByteCount) { $0 + $1.event.count + 1 })
    writer.beginObject()
    writer.key("events")
    writer.beginArray()
    for record in records { writer.raw(record.event) }
    writer.endArray()
    writer.endObject()
    return EndpointCall(.events, body: writer.bytes)
  }

  /// The call that makes the service forget a user.
  private static func deletion(ofUserToken userToken: String) -> EndpointCall {
    EndpointCall(.deleteUser(userToken: userToken))
  }

  /// Sends events and tells what came of it; no error names a user of theirs.
  static func send(
    _ records: [InsightsRecord], over transport: any SearchTransport, clock: any Clock<Duration>,
    options: RequestOptions
  ) async -> InsightsQueue.Outcome {
    let call = events(records)
    func redacting(_ error: SearchError) -> SearchError {
      UserTokenRedactor(records.flatMap(\.userTokens)).redacting(error)
    }
    do throws(SearchError) {
      let response = try await call.response(over: transport, clock: clock, options: options)
      if (200..<300).contains(response.status) { return .accepted }
      let error = redacting(CallContext(call).error(from: response))
      if isRefusal(response) { return .refused(error) }
      return .failed(error, retryAfter: retryAfter(response))
    } catch {
      return .failed(redacting(error), retryAfter: nil)
    }
  }

  /// Makes the service forget a user; no error names her.
  static func delete(
    userToken: String, over transport: any SearchTransport, clock: any Clock<Duration>,
    options: RequestOptions
  ) async throws(SearchError) {
    let call = deletion(ofUserToken: userToken)
    do throws(SearchError) {
      let response = try await call.response(over: transport, clock: clock, options: options)
      guard !(200..<300).contains(response.status) else { return }
      throw CallContext(call).error(from: response)
    } catch {
      throw UserTokenRedactor([userToken]).redacting(error)
    }
  }

  /// Whether a status says that something is wrong with the events.
  ///
  /// Others are about the key, the address or the moment: no event is dropped for those.
  private static func isRefusal(_ response: TransportResponse) -> Bool {
    response.isPerhapsOfContent && ![403, 404].contains(response.status)
  }

  /// How long the server asks to be left alone, at most a day.
  private static func retryAfter(_ response: TransportResponse) -> Duration? {
    response.retryAfter.map { min(max($0, .zero), .seconds(24 * 3600)) }
  }
}

/// Something that went wrong after events were taken.
///
/// An event that breaks a rule is refused by ``InsightsClient/track(_:)`` and never gets here.
public struct InsightsFailure: Sendable, Hashable {
  /// What went wrong.
  ///
  /// A struct, not an enum: a kind added later breaks no `switch` of yours.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case refused, expired, delayed, notAcknowledged
    }

    private let value: Value

    /// The service refused the event by itself; it is dropped.
    public static let refused = Kind(value: .refused)
    /// The event waited until it was older than the service allows, 30 days; it is dropped.
    public static let expired = Kind(value: .expired)
    /// A call with events failed; they wait and are sent again.
    public static let delayed = Kind(value: .delayed)
    /// Events are done with, and the storage could not note it. This client does not send them
    /// again and tries to note it with the next ones; if it ends before, the next client sends
    /// them.
    public static let notAcknowledged = Kind(value: .notAcknowledged)

    /// The kind's name, such as `refused`.
    public var description: String { value.rawValue }
  }

  /// What went wrong.
  public var kind: Kind
  /// Why.
  public var error: SearchError
  /// The event, for ``Kind-swift.struct/refused`` and ``Kind-swift.struct/expired``.
  public var record: InsightsRecord?

  /// Creates a failure.
  public init(_ kind: Kind, _ error: SearchError, record: InsightsRecord? = nil) {
    self.kind = kind
    self.error = error
    self.record = record
  }

  /// The name of the event.
  public var eventName: String? { record.flatMap { $0.text("eventName") } }
}

extension InsightsRecord {
  /// A member of the event that is text.
  func text(_ member: String) -> String? {
    (try? JSONDocument(event))?.root[member]?.string
  }
}

extension InsightsFailure: CustomStringConvertible {
  /// The kind, the event's name and the error; safe to log.
  public var description: String {
    let name = eventName.map { " \($0.debugDescription)" } ?? ""
    return "\(kind)\(name): \(error)"
  }
}

/// What came of sending everything that waited.
public struct InsightsFlush: Sendable, Hashable {
  /// How many events the service took.
  public var sentCount: Int
  /// How many events were dropped: refused by the service or too old, of which
  /// ``InsightsClient/failures`` has each, or discarded while the flush waited.
  public var droppedCount: Int
  /// How many of the events are left, and will be sent later.
  public var remainingCount: Int
  /// Why some are left: the error of the last call, `cancelled`, or `nil` when the client is not
  /// enabled or none is left.
  public var error: SearchError?

  /// Creates a result.
  public init(
    sentCount: Int = 0, droppedCount: Int = 0, remainingCount: Int = 0, error: SearchError? = nil
  ) {
    self.sentCount = sentCount
    self.droppedCount = droppedCount
    self.remainingCount = remainingCount
    self.error = error
  }
}

/// Takes user tokens out of errors: a service may quote what it was sent.
struct UserTokenRedactor {
  /// The tokens, in lower case.
  private let tokens: Set<[UInt8]>

  /// Tokens of at least so many bytes are found inside of words too, and their beginnings at the
  /// end of a text that was cut. Shorter ones only where they stand alone: `u` is in most words.
  private static let distinctiveLength = 6

  init(_ tokens: some Sequence<String>) {
    self.tokens = Set(tokens.lazy.filter { !$0.isEmpty }.map { $0.utf8.map(Self.lowercased) })
  }

  /// The error without the tokens.
  func redacting(_ error: SearchError) -> SearchError { error.mappingTexts(redacting) }

  /// The text with `…` in the place of each token, however it is encoded there.
  ///
  /// - Complexity: O(`text.utf8.count` · number of tokens), as long as few places resemble a token.
  func redacting(_ text: String) -> String {
    SpelledText.replacing(in: Array(text.utf8), with: Array("…".utf8)) { bytes in
      tokens.flatMap { Self.places(of: $0, in: bytes) }
    }.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  private static func places(of token: [UInt8], in bytes: [UInt8]) -> [Range<Int>] {
    let isDistinctive = token.count >= distinctiveLength
    var places: [Range<Int>] = []
    var place = 0
    while place < bytes.count {
      let length = zip(bytes[place...], token).prefix { lowercased($0) == $1 }.count
      let end = place + length
      let standsAlone =
        (place == 0 || !isWordByte(bytes[place - 1]))
        && (end == bytes.count || !isWordByte(bytes[end]))
      let isWhole = length == token.count && (isDistinctive || standsAlone)
      let isCut = isDistinctive && end == bytes.count && length >= distinctiveLength
      if isWhole || isCut {
        places.append(place..<end)
        place = end
      } else {
        place += 1
      }
    }
    return places
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension InsightsRecord {
  /// Who the event is about.
  var userTokens: [String] {
    [text("userToken"), text("authenticatedUserToken")].compactMap(\.self)
  }
}
