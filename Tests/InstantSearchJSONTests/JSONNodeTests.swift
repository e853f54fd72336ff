import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

struct JSONNodeTests {
  private func root(_ text: String) throws -> JSONNode {
    try JSONDocument(Array(text.utf8)).root
  }

  @Test func everyKindIsRecognized() throws {
    let root = try root(#"[null,true,false,1,1.5,"s","\n",[],{}]"#)
    let kinds: [JSONNode.Kind] = [
      .null, .bool, .bool, .number, .number, .string, .string, .array, .object,
    ]
    expectEqual(root.elements.map(\.kind), kinds)
    expectEqual(root.kind, .array)
    expectEqual(root.elements.map(\.isNull), kinds.map { $0 == .null })
    expectEqual(root.elements.map(\.bool), [nil, true, false, nil, nil, nil, nil, nil, nil])
    expectEqual(root.elements.map(\.isWrittenAsInteger).filter { $0 }.count, 1)
  }

  @Test func accessorsReturnNilForOtherKinds() throws {
    let root = try root(#"[null,true,1,"s",[1],{"a":1}]"#)
    for node in root.elements {
      if node.kind != .string { #expect(node.string == nil) }
      if node.kind != .number {
        #expect(node.int == nil && node.uint64 == nil && node.double == nil)
        #expect(node.float == nil && node.numberText == nil)
      }
      if node.kind != .array { #expect(node.elements.isEmpty && node[0] == nil) }
      if node.kind != .object { #expect(node.members.isEmpty && node["a"] == nil) }
      if node.kind != .array && node.kind != .object { expectEqual(node.count, 0) }
    }
  }

  @Test func childrenAreFoundByIndexAndKey() throws {
    let root = try root(Samples.searchResponse)
    expectEqual(root["hits"]?.count, 2)
    expectEqual(root["hits"]?[0]?["_geoloc"]?["lng"]?.double, 8.5417)
    expectEqual(root["hits"]?[0]?["tags"]?[1]?.string, "b\n")
    expectEqual(root["hits"]?[0]?["name"]?.string, "Café \"Zürich\" \\ 東京 😀😀")
    expectEqual(root["hits"]?[0]?["big"]?.uint64, .max)
    expectEqual(root["hits"]?[1]?.kind, .object)
    expectEqual(root["hits"]?[1]?.count, 0)
    #expect(root["hits"]?[2] == nil)
    #expect(root["hits"]?[-1] == nil)
    expectEqual(root["facets"]?["brand"]?["Apple / Co"]?.int, 442)
    #expect(root["nothing"] == nil)
  }

  @Test func membersKeepTheOrderOfTheText() throws {
    let root = try root(#"{"b":1,"a":2,"\u0063":3,"b":4,"":5}"#)
    expectEqual(root.members.map(\.key), ["b", "a", "c", "b", ""])
    expectEqual(root.members.map(\.value.int), [1, 2, 3, 4, 5])
    expectEqual(root.members.map(\.isSuperseded), [true, false, false, false, false])
    expectEqual(root.members.map { $0.hasKey("c") }, [false, false, true, false, false])
    expectEqual(root.members.map { String(decoding: $0.keySource, as: UTF8.self) }[2], #""\u0063""#)
    expectEqual(root.count, 5)
    expectEqual(root.currentMembers.map(\.key), ["a", "c", "b", ""])
    expectEqual(root.currentMembers.map(\.value.int), [2, 3, 4, 5])
  }

  @Test func sourcesAreTheBytesOfTheValues() throws {
    let text = #" { "a" : [ 1 , "x\ty" , {} , -2.5e3 ] , "b" : null } "#
    let root = try root(text)
    func source(_ node: JSONNode?) -> String? {
      node.map { String(decoding: $0.source, as: UTF8.self) }
    }
    expectEqual(source(root), #"{ "a" : [ 1 , "x\ty" , {} , -2.5e3 ] , "b" : null }"#)
    expectEqual(source(root["a"]), #"[ 1 , "x\ty" , {} , -2.5e3 ]"#)
    expectEqual(root["a"]?.elements.map(source), ["1", #""x\ty""#, "{}", "-2.5e3"])
    expectEqual(source(root["b"]), "null")
  }

  @Test(arguments: Seed.all(50))
  func sourceOfEveryValueIsReadBackEqual(seed: Seed) throws {
    var random = RandomJSON(seed: seed.value)
    let document = try JSONDocument(Array(random.text().utf8))
    var nodes = [document.root]
    while let node = nodes.popLast() {
      let copy = try JSONDocument(Array(node.source)).root
      expectEqual(JSONTree(copy), JSONTree(node), "seed \(seed.value)")
      nodes += Array(node.elements) + node.members.map(\.value)
    }
  }

  @Test(arguments: Seed.all(50))
  func codingPathsLeadToTheValue(seed: Seed) throws {
    var random = RandomJSON(seed: seed.value)
    let root = try JSONDocument(Array(random.text().utf8)).root
    var nodes: [(JSONNode, [String])] = [(root, [])]
    while let (node, path) = nodes.popLast() {
      expectEqual(node.codingPath.map(\.stringValue), path, "seed \(seed.value)")
      for (index, element) in node.elements.enumerated() {
        nodes.append((element, path + ["Index \(index)"]))
        expectEqual(element.codingPath.last?.intValue, index)
      }
      for member in node.members { nodes.append((member.value, path + [member.key])) }
    }
  }

  @Test func stringsAreComparedAsBytes() throws {
    let root = try root(#"["caf\u00e9","café","cafe\u0301",1]"#)
    expectEqual(root.elements.map { $0.isString("caf\u{E9}") }, [true, true, false, false])
    let object = try self.root("{\"caf\u{E9}\":1,\"cafe\u{301}\":2}")
    expectEqual(object["caf\u{E9}"]?.int, 1)
    expectEqual(object["cafe\u{301}"]?.int, 2)
  }
}
