/// One call of the search API: what is called, and on what.
///
/// A call has a method and a path; ``init(_:_:)`` reads them and ``method`` and ``pathComponents``
/// write them, each the inverse of the other. Whoever has to know what a call does (a cache, the
/// engine, a service) switches over the endpoint and reads no path.
///
/// ```swift
/// switch request.endpoint {
/// case .search(let index): …
/// case .multiQuery: …
/// default: …
/// }
/// ```
///
/// Index names, object IDs and all other parts of a path are plain texts, not percent-encoded.
/// Source: the OpenAPI description of the hosted service's search API.
public enum Endpoint: Sendable, Hashable {
  /// A call about one synonym or rule of an index, or about all of them.
  public enum Entries: Sendable, Hashable {
    /// Reads one.
    case get(objectID: String)
    /// Writes one.
    case save(objectID: String)
    /// Deletes one.
    case delete(objectID: String)
    /// Writes several.
    case batch
    /// Deletes all.
    case clear
    /// Searches them.
    case search
  }

  /// A call about API keys.
  public enum Keys: Sendable, Hashable {
    case list
    case add
    case get(key: String)
    case update(key: String)
    case delete(key: String)
    /// Brings a deleted key back.
    case restore(key: String)
  }

  /// A call about dictionaries of languages.
  public enum Dictionaries: Sendable, Hashable {
    case batch(dictionary: String)
    case search(dictionary: String)
    case settings
    case setSettings
    case languages
  }

  /// A call about the addresses that requests may come from.
  public enum Sources: Sendable, Hashable {
    case list
    case replace
    case append
    case delete(source: String)
  }

  // MARK: Searching

  /// Searches one index.
  case search(index: String)
  /// Runs several searches; the body names their indices.
  case multiQuery
  /// Searches the values of a facet.
  case facetValues(index: String, facet: String)
  /// Reads the records of an index, one page for each call.
  case browse(index: String)
  /// Asks for recommendations; the body names the indices.
  case recommendations
  /// Searches places.
  case places
  /// Finds the places at a point.
  case reversePlaces
  /// Reads one place.
  case place(objectID: String)

  // MARK: Records

  /// Reads several records; the body names their indices.
  case getObjects
  /// Reads one record.
  case getObject(index: String, objectID: String)
  /// Writes a record; the server makes its ID unless the body has one.
  case saveObject(index: String)
  /// Writes a record with this ID.
  case replaceObject(index: String, objectID: String)
  /// Changes attributes of a record.
  case partialUpdate(index: String, objectID: String)
  /// Deletes one record.
  case deleteObject(index: String, objectID: String)
  /// Makes several writes in one index.
  case batch(index: String)
  /// Makes several writes; the body names their indices.
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
  /// Copies or moves an index; the body names the destination.
  case operation(index: String)
  /// Reads the settings of an index.
  case settings(index: String)
  /// Changes the settings of an index.
  case setSettings(index: String)
  /// Asks whether a write to an index is done.
  case task(index: String, taskID: String)
  /// Asks whether a write that is about no index is done.
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
  /// A call about the addresses that requests may come from.
  case sources(Sources)
  /// Reads the log of the latest calls.
  case logs

  // MARK: Events

  /// Sends events of users.
  case events
  /// Deletes the events of a user.
  case deleteUser(userToken: String)

  /// Any other method and path.
  case custom(HTTPMethod, [String])
}

/// The method of a call.
public enum HTTPMethod: String, Sendable, Hashable, Codable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"
}

/// Whether a call may go to the hosts that serve reads, under the timeouts of reads.
public enum CallType: String, Sendable, Hashable, Codable {
  case read
  case write
}

/// What a call does to the state of the service.
extension Endpoint {
  /// The indices that a call reads or writes.
  public enum Indices: Sendable, Hashable {
    /// This one.
    case named(String)
    /// This one, if any, and those that the body names.
    case inBody(and: String?)
    /// All of them, or none: the call is about the application.
    case all
  }

  /// Whether sending a call twice changes more than sending it once.
  public enum Replay: Sendable, Hashable {
    /// It does not.
    case safe
    /// It depends on the body, such as a batch of records without IDs.
    case dependsOnBody
    /// It does: a record or a key is made twice.
    case unsafe
  }

  /// Whether the call reads or writes; a ``custom(_:_:)`` call reads when its method is GET.
  public var callType: CallType {
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

  /// The indices that the call is about.
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

  /// Whether a cache may answer the call: many ask for the same, and the answer may be a little old.
  ///
  /// Other reads are not cached: the state of a task, settings and keys must be current, and a page
  /// that is browsed is read once.
  public var isCacheable: Bool {
    switch self {
    case .search, .multiQuery, .facetValues, .getObjects, .recommendations, .places: true
    default: false
    }
  }

  /// Whether the call can become part of a ``multiQuery``.
  public var isBatchable: Bool {
    switch self {
    case .search, .multiQuery: true
    default: false
    }
  }

  /// Whether the call may be sent again after an attempt whose end is not known.
  public var replay: Replay {
    switch self {
    case .saveObject, .keys(.add), .sources(.append), .events: .unsafe
    case .partialUpdate, .batch, .multiBatch, .operation: .dependsOnBody
    case .custom: callType == .read ? .safe : .dependsOnBody
    default: .safe
    }
  }
}
