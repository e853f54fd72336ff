import LocalSearch
import TestSupport
import Testing

struct SearchableAttributesTests {
  typealias Role = SearchableAttributes.Role

  @Test func ranksFollowTheList() throws {
    let attributes = try SearchableAttributes(
      [
        "name", "brand, maker", "unordered( text )", "ordered(author)", " ",
      ], CancellationCheck())
    try expectEqual(
      attributes.role(of: "name", CancellationCheck()), Role(rank: 0, isOrdered: true))
    try expectEqual(
      attributes.role(of: "brand", CancellationCheck()), Role(rank: 1, isOrdered: false))
    try expectEqual(
      attributes.role(of: "maker", CancellationCheck()), Role(rank: 1, isOrdered: false))
    try expectEqual(
      attributes.role(of: "text", CancellationCheck()), Role(rank: 2, isOrdered: false))
    try expectEqual(
      attributes.role(of: "author", CancellationCheck()), Role(rank: 3, isOrdered: true))
    #expect(try attributes.role(of: "other", CancellationCheck()) == nil)
  }

  @Test func objectCoversNestedAttributes() throws {
    let attributes = try SearchableAttributes(["author", "item.name"], CancellationCheck())
    try expectEqual(attributes.role(of: "author.name.first", CancellationCheck())?.rank, 0)
    #expect(try attributes.role(of: "authority", CancellationCheck()) == nil)
    #expect(try attributes.role(of: "item", CancellationCheck()) == nil)
    #expect(try attributes.mayContain("item", CancellationCheck()))
    #expect(try !attributes.mayContain("other", CancellationCheck()))
  }

  @Test func emptyListCoversAllButReservedAttributes() throws {
    let attributes = SearchableAttributes()
    #expect(attributes.isEmpty)
    try expectEqual(
      attributes.role(of: "anything.at.all", CancellationCheck()),
      Role(rank: 0, isOrdered: false))
    #expect(try attributes.role(of: "objectID", CancellationCheck()) == nil)
    #expect(try attributes.role(of: "_geoloc.lat", CancellationCheck()) == nil)
  }

  @Test func theFirstEntryThatCoversAPathCounts() throws {
    let attributes = try SearchableAttributes(
      ["author", "unordered(author.name)"], CancellationCheck())
    try expectEqual(
      attributes.role(of: "author.name", CancellationCheck()), Role(rank: 0, isOrdered: true))
  }
}
