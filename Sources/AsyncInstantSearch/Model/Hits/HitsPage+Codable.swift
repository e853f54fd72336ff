package import SearchJSON

extension HitsPage: Decodable {
  /// Reads a result of a search from any decoder.
  ///
  /// Fails only for what is no object or whose hits are no array; a hit that does not decode becomes
  /// one of the ``failures``.
  public init(from decoder: any Decoder) throws {
    if let current = JSONNode.current(of: decoder) {
      try self.init(node: current.node, options: current.options)
      return
    }
    let container = try decoder.container(keyedBy: AnyKey.self)
    self.init()
    for key in container.allKeys {
      switch key.stringValue {
      case HitsPageMember.hits: break
      case HitsPageMember.facets:
        if let facets = try? container.decode(Facets.self, forKey: key) {
          self.facets = facets
        } else {
          fallthrough
        }
      default:
        guard let value = try? container.decode(JSON.self, forKey: key) else { continue }
        // The name as a decoder that converts from snake case gives it.
        take(key.stringValue == "facetsStats" ? "facets_stats" : key.stringValue, value)
      }
    }
    let hits = AnyKey(HitsPageMember.hits)
    guard container.contains(hits), try !container.decodeNil(forKey: hits) else { return }
    var source = ContainerHitSource(try container.nestedUnkeyedContainer(forKey: hits))
    readHits(from: &source, stamp: HitStamp(self, query: nil))
  }
}

extension HitsPage: Encodable where Record: Encodable {
  /// Writes the page as a result of a search.
  ///
  /// ``failures``, ``request`` and ``generation`` are not part of it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode(hits, forKey: AnyKey(HitsPageMember.hits))
    if !facets.isEmpty { try container.encode(facets, forKey: AnyKey(HitsPageMember.facets)) }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: AnyKey(key))
    }
  }
}

extension HitsPage: JSONNodeDecodable {
  /// Reads a result of a search; fails only for what is no object or whose hits are no array.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    guard node.kind == .object else { throw node.mismatch([String: Any].self) }
    if let hits = node[HitsPageMember.hits], hits.kind != .array, !hits.isNull {
      throw hits.mismatch([Any].self)
    }
    self.init(node: node, options: options, query: nil)
  }

  /// Reads a result of a search; anything but an object with an array of hits is an empty page.
  ///
  /// - Parameter query: The query that was answered. It tells the tags of the highlights and, where
  ///   the answer leaves them out, the page's number and size.
  package init(node: JSONNode, options: JSONDecodingOptions, query: SearchQuery?) {
    self.init()
    offset = query?.offset
    length = query?.length
    page = query?.page ?? 0
    hitsPerPage = query?.hitsPerPage ?? 0
    var elements: JSONElements?
    for member in node.members {
      if member.hasKey(HitsPageMember.hits) {
        elements = member.value.elements
      } else if member.hasKey(HitsPageMember.facets),
        let facets = try? Facets(node: member.value, options: options)
      {
        self.facets = facets
      } else if let value = try? JSON(node: member.value) {
        take(member.key, value)
      }
    }
    if let elements {
      var source = NodeHitSource(elements, options: options)
      readHits(from: &source, stamp: HitStamp(self, query: query))
    }
  }
}

extension HitsPage {
  private mutating func readHits(from source: inout some HitSource, stamp: HitStamp) {
    if let type = Record.self as? any StampedRecord.Type {
      // The opened type is `Record` itself, so the cast only gives the array its name back.
      if let read = readStamped(type, from: &source, stamp: stamp) as? [Record] { hits = read }
    } else {
      hits = read(Record.self, from: &source, stamp: stamp) { _, _ in }
    }
  }

  private mutating func readStamped<Stamped: StampedRecord>(
    _ type: Stamped.Type, from source: inout some HitSource, stamp: HitStamp
  ) -> any Sendable {
    read(type, from: &source, stamp: stamp) { hit, position in
      hit.stamp(position: position, queryID: stamp.queryID, tags: stamp.tags)
    }
  }

  /// Reads all hits of a source, putting those that cannot be read among the failures.
  private mutating func read<Value: Decodable>(
    _ type: Value.Type,
    from source: inout some HitSource,
    stamp: HitStamp,
    finish: (inout Value, Int?) -> Void
  ) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(source.count)
    var index = 0
    while !source.isAtEnd {
      let position = stamp.position(at: index)
      switch source.next(type, position: position ?? index + 1) {
      case .success(var value):
        finish(&value, position)
        values.append(value)
      case .failure(let box): failures.append(box.failure)
      }
      index += 1
    }
    return values
  }
}
