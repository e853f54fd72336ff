/// One call of the search API, with the index, record or key that it concerns.
///
/// An endpoint has a method and a path. ``init(_:_:)`` parses them, and ``method`` and
/// ``pathComponents`` return them. Code that depends on the kind of a call (a cache, the engine, a
/// service) switches over the endpoint and never parses a path.
///
/// ```swift
/// switch request.endpoint {
/// case .search(let index): …
/// case .multiQuery: …
/// default: …
/// }
/// ```
///
/// The contract grows, and a minor version can add cases, including to the nested types. So a
/// switch outside the package needs a `default`, which forwards a call or rejects it.
///
/// Index names, object IDs and all other parts of a path are plain text, not percent-encoded.
/// Source: the OpenAPI description of the hosted service's search API.
public enum Endpoint: Sendable, Hashable {
  /// A call about one synonym or rule of an index, or about all of them.
  public enum Entries: Sendable, Hashable {
    /// Reads one entry.
    case get(objectID: String)
    /// Writes one entry.
    case save(objectID: String)
    /// Deletes one entry.
    case delete(objectID: String)
    /// Writes several entries.
    case batch
    /// Deletes all entries.
    case clear
    /// Searches the entries.
    case search
  }

  /// A call about API keys.
  public enum Keys: Sendable, Hashable {
    case list
    case add
    case get(key: String)
    case update(key: String)
    case delete(key: String)
    /// Restores a deleted key.
    case restore(key: String)
  }

  /// A call about language dictionaries.
  public enum Dictionaries: Sendable, Hashable {
    case batch(dictionary: String)
    case search(dictionary: String)
    case settings
    case setSettings
    case languages
  }

  /// A call about the allowed source addresses of requests.
  public enum Sources: Sendable, Hashable {
    case list
    case replace
    case append
    case delete(source: String)
  }

  // MARK: Searching

  /// Searches one index with one query. The body is a ``SearchQuery``, the response a page of hits.
  case search(index: String)
  /// Runs several queries, for hits or for facet values, whose indices the body names.
  ///
  /// The client sends it for searches of several indices, and for a search that counts facets
  /// filtered by OR, hierarchies or numeric filters. The body has a list `requests`, each with an
  /// `indexName` and search parameters; the response has a list `results` in the same order.
  case multiQuery
  /// Searches the values of a facet.
  case facetValues(index: String, facet: String)
  /// Reads the records of an index, one page per call.
  case browse(index: String)
  /// Requests recommendations. The body names the indices.
  case recommendations
  /// Searches places.
  case places
  /// Finds places near a point (reverse geocoding).
  case reversePlaces
  /// Reads one place.
  case place(objectID: String)

  // MARK: Records

  /// Reads several records. The body names their indices.
  case getObjects
  /// Reads one record.
  case getObject(index: String, objectID: String)
  /// Writes a record. The server generates its ID unless the body has one.
  case saveObject(index: String)
  /// Writes a record with the given ID.
  case replaceObject(index: String, objectID: String)
  /// Updates attributes of a record.
  case partialUpdate(index: String, objectID: String)
  /// Deletes one record.
  case deleteObject(index: String, objectID: String)
  /// Runs several writes in one index.
  case batch(index: String)
  /// Runs several writes. The body names their indices.
  case multiBatch
  /// Deletes the records that match a query.
  case deleteBy(index: String)
  /// Deletes all records of an index and keeps its settings.
  case clear(index: String)

  // MARK: Indices

  /// Lists the indices.
  case listIndices
  /// Deletes an index.
  case deleteIndex(index: String)
  /// Copies or moves an index. The body names the destination.
  case operation(index: String)
  /// Reads the settings of an index.
  case settings(index: String)
  /// Updates the settings of an index.
  case setSettings(index: String)
  /// Reads whether a write to an index is complete.
  case task(index: String, taskID: String)
  /// Reads whether a write that concerns no index is complete.
  case appTask(taskID: String)
  /// A call about the synonyms of an index.
  case synonyms(index: String, Entries)
  /// A call about the rules of an index.
  case rules(index: String, Entries)

  // MARK: The application

  /// A call about API keys.
  case keys(Keys)
  /// A call about dictionaries.
  case dictionaries(Dictionaries)
  /// A call about the allowed source addresses of requests.
  case sources(Sources)
  /// Reads the log of the latest calls.
  case logs

  // MARK: Events

  /// Sends user events.
  case events
  /// Deletes the events of a user.
  case deleteUser(userToken: String)

  /// Any other method and path.
  case custom(Method, [String])
}

extension Endpoint {
  /// The HTTP method of a call.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// Whether a call reads or writes, which determines its hosts and timeouts.
  public enum CallType: String, Sendable, Hashable, Codable {
    case read
    case write
  }
}

/// Effects of a call on the state of the service.
extension Endpoint {
  /// The indices that a call reads or writes.
  public enum Indices: Sendable, Hashable {
    /// The named index.
    case named(String)
    /// The given index, if any, and the indices that the body names.
    case inBody(and: String?)
    /// All indices, or none: the call concerns the application.
    case all
  }

  /// Whether the call reads or writes. A ``custom(_:_:)`` call reads if its method is GET.
  public var callType: Endpoint.CallType {
    switch self {
    case .search, .multiQuery, .facetValues, .browse, .recommendations, .places, .reversePlaces,
      .place, .getObjects, .getObject, .listIndices, .settings, .task, .appTask, .logs:
      .read
    case .synonyms(_, let entries), .rules(_, let entries):
      switch entries {
      case .get, .search: .read
      case .save, .delete, .batch, .clear: .write
      }
    case .keys(let keys):
      switch keys {
      case .list, .get: .read
      case .add, .update, .delete, .restore: .write
      }
    case .dictionaries(let dictionaries):
      switch dictionaries {
      case .search, .settings, .languages: .read
      case .batch, .setSettings: .write
      }
    case .sources(let sources): sources == .list ? .read : .write
    case .custom(let method, _): method == .get ? .read : .write
    case .saveObject, .replaceObject, .partialUpdate, .deleteObject, .batch, .multiBatch,
      .deleteBy, .clear, .deleteIndex, .operation, .setSettings, .events, .deleteUser:
      .write
    }
  }

  /// The indices that the call concerns.
  public var indices: Indices {
    switch self {
    case .search(let index), .facetValues(let index, _), .browse(let index),
      .getObject(let index, _), .saveObject(let index), .replaceObject(let index, _),
      .partialUpdate(let index, _), .deleteObject(let index, _), .batch(let index),
      .deleteBy(let index), .clear(let index), .deleteIndex(let index), .settings(let index),
      .setSettings(let index), .task(let index, _), .synonyms(let index, _), .rules(let index, _):
      .named(index)
    case .operation(let index): .inBody(and: index)
    case .multiQuery, .recommendations, .getObjects, .multiBatch: .inBody(and: nil)
    case .places, .reversePlaces, .place, .listIndices, .appTask, .keys, .dictionaries, .sources,
      .logs, .events, .deleteUser, .custom:
      .all
    }
  }

  /// The index in the path; `nil` for a call about several indices or about none.
  public var indexName: String? {
    switch indices {
    case .named(let index), .inBody(and: let index?): index
    case .inBody(and: nil), .all: nil
    }
  }

  /// Whether a cache may answer the call: it is made often, and a slightly older response is
  /// acceptable.
  ///
  /// Other reads are not cached: task status, settings and keys must be current, and browsing
  /// reads each page once.
  public var isCacheable: Bool {
    switch self {
    case .search, .multiQuery, .facetValues, .getObjects, .recommendations, .places: true
    default: false
    }
  }

  /// The number of queries that the hosted service accepts in one call.
  package static let maximumQueryCount = 50

  /// Whether the call can be joined into a ``multiQuery``.
  public var isBatchable: Bool {
    switch self {
    case .search, .multiQuery: true
    default: false
    }
  }

  /// Whether sending the call twice has the same effect as sending it once, so that it can be sent
  /// again after an attempt whose outcome is unknown.
  ///
  /// `false` if the effect depends on the body, as for a batch of records without IDs.
  package var isIdempotent: Bool {
    switch self {
    case .saveObject, .keys(.add), .sources(.append), .events, .partialUpdate, .batch, .multiBatch,
      .operation:
      false
    case .custom: callType == .read
    default: true
    }
  }
}
