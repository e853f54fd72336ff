package import InstantSearchJSON

extension SearchQuery: JSONNodeDecodable {
  /// Reads the parameters of a request's body. Unknown names become ``additionalParameters``.
  ///
  /// - Throws: `DecodingError` with the path to a parameter with an invalid value.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(node: node, codingPath: node.codingPath)
  }

  /// Reads the parameters of a request's body.
  ///
  /// - Parameter names: Members that are not parameters, such as `indexName`, and are skipped.
  ///   Defaults to none.
  /// - Throws: ``SearchError`` of code `invalidRequest` that names a parameter with an invalid
  ///   value.
  package init(node: JSONNode, except names: Set<String> = []) throws(SearchError) {
    do throws(SearchQueryMismatch) {
      try self.init(reading: node, except: names)
    } catch {
      throw error.searchError
    }
  }

  /// Sets a parameter to the value of a node.
  ///
  /// - Throws: ``SearchError`` of code `invalidRequest` that names the parameter.
  package mutating func set(
    _ parameter: SearchParameter, to node: JSONNode
  ) throws(SearchError) {
    do throws(SearchParameterMismatch) {
      values[parameter] = try parameter.value(node)
    } catch {
      throw error.error(in: parameter)
    }
  }

  /// Reads parameters for a decoder at a coding path.
  private init(node: JSONNode, codingPath: [any CodingKey]) throws {
    do throws(SearchQueryMismatch) {
      try self.init(reading: node, except: [])
    } catch {
      throw error.decodingError(at: codingPath)
    }
  }

  private init(reading node: JSONNode, except names: Set<String>) throws(SearchQueryMismatch) {
    self.init()
    guard node.kind == .object else { throw .noObject(node.kind) }
    for member in node.currentMembers where !names.contains(member.key) {
      if let parameter = SearchParameter.named(member.key) {
        do throws(SearchParameterMismatch) {
          values[parameter] = try parameter.value(member.value)
        } catch {
          throw .wrongValue(parameter, error)
        }
      } else {
        additionalParameters[member.key] = JSON(node: member.value)
      }
    }
  }
}

extension SearchQuery: JSONWritable {
  /// Writes the parameters that are set as one object, ordered by name.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  /// Writes the parameters that are set as members of an open object.
  package func writeMembers(to writer: inout JSONWriter) {
    guard !additionalParameters.isEmpty else {
      values.forEach { parameter, value in
        writer.key(parameter.name)
        value.writeParameter(to: &writer)
      }
      return
    }
    for entry in entries {
      writer.key(entry.name)
      entry.value.write(to: &writer)
    }
  }

  /// A parameter to write.
  struct Entry {
    enum Value {
      case parameter(any SearchParameterValue)
      case additional(JSON)

      func write(to writer: inout JSONWriter) {
        switch self {
        case .parameter(let value): value.writeParameter(to: &writer)
        case .additional(let json): json.write(to: &writer)
        }
      }
    }

    var name: String
    var value: Value
  }

  /// The parameters to write, ordered by name. A property overrides an additional parameter of its
  /// name.
  var entries: [Entry] {
    var entries: [Entry] = []
    values.forEach { entries.append(Entry(name: $0.name, value: .parameter($1))) }
    if !additionalParameters.isEmpty {
      for (name, json) in additionalParameters {
        if let parameter = SearchParameter.named(name), values[parameter] != nil { continue }
        entries.append(Entry(name: name, value: .additional(json)))
      }
      entries.sort { $0.name < $1.name }
    }
    return entries
  }
}

extension SearchQuery: Codable {
  /// Reads the parameters with any decoder.
  ///
  /// - Throws: `DecodingError` with the path to a parameter with an invalid value.
  public init(from decoder: any Decoder) throws {
    try self.init(node: JSONNode(reading: decoder), codingPath: decoder.codingPath)
  }

  /// Writes the parameters that are set with any encoder.
  ///
  /// - Throws: `EncodingError` for an additional parameter with the name of a property and a value
  ///   that the property cannot represent, because it could not be read back.
  public func encode(to encoder: any Encoder) throws {
    for entry in entries {
      guard case .additional(let json) = entry.value,
        let parameter = SearchParameter.named(entry.name)
      else { continue }
      do throws(SearchParameterMismatch) {
        _ = try parameter.value(JSONNode(json))
      } catch {
        throw EncodingError.invalidValue(
          parameter.isPersonal ? PersonalData.mask : json,
          EncodingError.Context(
            codingPath: encoder.codingPath + [AnyKey(entry.name)],
            debugDescription: error.error(in: parameter).message))
      }
    }
    var writer = JSONWriter()
    write(to: &writer)
    try encoder.encode(writer.bytes)
  }
}
