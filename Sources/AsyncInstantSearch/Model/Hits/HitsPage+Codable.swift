package import InstantSearchJSON

extension HitsPage: Decodable {
  /// Reads a result of a search from any decoder.
  ///
  /// Fails only for what is no object or whose hits are no array; a hit that does not decode
  /// becomes one of the ``failures``.
  public init(from decoder: any Decoder) throws {
    if let place = DecodingSession.place(of: decoder) {
      try self.init(at: place.index, in: place.session, depth: place.depth)
      return
    }
    // The single-value container gives the names as they are, so that no key strategy changes names
    // this library does not know; the keyed one is for what is read as a type of its own.
    let container = try decoder.container(keyedBy: AnyKey.self)
    let members = try decoder.singleValueContainer().decode([String: ReadMember].self)
    let places = HitsPageMember.names.places(in: members.keys)
    let documented = Dictionary(
      places.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    self.init()
    for (name, member) in members {
      let name = documented[name] ?? name
      if name == HitsPageMember.facets.rawValue,
        let facets = try? container.decode(Facets.self, forKey: AnyKey(name))
      {
        self.facets = facets
      } else if name != HitsPageMember.hits.rawValue, let json = member.json {
        take(name, json)
      }
    }
    let hits = AnyKey(HitsPageMember.hits.rawValue)
    guard container.contains(hits), try !container.decodeNil(forKey: hits) else { return }
    readHits(
      from: ContainedHits(try container.nestedUnkeyedContainer(forKey: hits)),
      stamp: HitStamp(self, query: nil))
  }
}

/// A member of a page, as any decoder reads it.
private struct ReadMember: Decodable {
  /// The member; `nil` for one that cannot be read, and for the hits, which are read one by one.
  let json: JSON?

  init(from decoder: any Decoder) throws {
    let isHits = decoder.codingPath.last?.stringValue == HitsPageMember.hits.rawValue
    json = isHits ? nil : try? JSON(from: decoder)
  }
}

extension HitsPage: Encodable where Record: Encodable {
  /// Writes the page as a result of a search, member names as they are, whatever the key strategy.
  ///
  /// ``failures`` are saved as `__failures`. ``request``, ``generation`` and ``origin`` are not
  /// part of it.
  public func encode(to encoder: any Encoder) throws {
    var members = members.mapValues(WrittenMember<Record>.json)
    members[HitsPageMember.hits.rawValue] = .hits(hits)
    if !facets.isEmpty { members[HitsPageMember.facets.rawValue] = .facets(facets) }
    var container = encoder.singleValueContainer()
    try container.encode(members)
  }
}

/// A member of a page, as it is written.
private enum WrittenMember<Record: Encodable>: Encodable {
  case hits([Record])
  case facets(Facets)
  case json(JSON)

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .hits(let hits): try container.encode(hits)
    case .facets(let facets): try container.encode(facets)
    case .json(let json): try container.encode(json)
    }
  }
}

extension HitsPage: JSONNodeDecodable {
  /// Reads a result of a search; fails only for what is no object or whose hits are no array.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(
      at: node.index, in: DecodingSession(document: node.document, options: options), depth: 0)
  }

  /// Reads a result of a search; fails only for what is no object or whose hits are no array.
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    let node = session.node(at: index)
    guard node.kind == .object else { throw node.mismatch([String: Any].self) }
    if let hits = node[HitsPageMember.hits.rawValue], hits.kind != .array, !hits.isNull {
      throw hits.mismatch([Any].self)
    }
    self.init(at: index, in: session, depth: depth, query: nil)
  }

  /// Reads a result of a search; anything but an object with an array of hits is an empty page.
  ///
  /// - Parameter query: The query that was answered. It tells the tags of the highlights and, where
  ///   the answer leaves them out, the page's number and size.
  package init(node: JSONNode, options: JSONDecodingOptions, query: SearchQuery?) {
    self.init(
      at: node.index, in: DecodingSession(document: node.document, options: options), depth: 0,
      query: query)
  }

  private init(at index: Int, in session: DecodingSession, depth: Int, query: SearchQuery?) {
    self.init()
    if let start = query?.offset {
      offset = start
      length = query?.length
    }
    page = query?.page ?? 0
    hitsPerPage = query?.hitsPerPage ?? 0
    let document = session.document
    var hits: Int?
    var members = document.members(at: index)
    while let member = members.next(in: document) {
      let known = HitsPageMember(keyOf: member, in: document)
      if known == .hits {
        hits = member
      } else if known == .facets, let facets = try? Facets(at: member, of: document) {
        self.facets = facets
      } else {
        take(known, at: member, of: document)
      }
    }
    if let hits {
      readHits(
        at: hits, in: session, depth: depth + 2, stamp: HitStamp(self, query: query))
    }
  }
}
