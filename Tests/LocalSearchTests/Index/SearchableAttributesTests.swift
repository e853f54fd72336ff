import LocalSearch
import Testing

struct SearchableAttributesTests {
  typealias Role = SearchableAttributes.Role

  @Test func ranksFollowTheList() throws {
    let attributes = try SearchableAttributes(
      [
        "name", "brand, maker", "unordered( text )", "ordered(author)", " ",
      ], Checkpoint())
    #expect(try attributes.role(of: "name", Checkpoint()) == Role(rank: 0, isOrdered: true))
    #expect(try attributes.role(of: "brand", Checkpoint()) == Role(rank: 1, isOrdered: false))
    #expect(try attributes.role(of: "maker", Checkpoint()) == Role(rank: 1, isOrdered: false))
    #expect(try attributes.role(of: "text", Checkpoint()) == Role(rank: 2, isOrdered: false))
    #expect(try attributes.role(of: "author", Checkpoint()) == Role(rank: 3, isOrdered: true))
    #expect(try attributes.role(of: "other", Checkpoint()) == nil)
  }

  @Test func objectCoversNestedAttributes() throws {
    let attributes = try SearchableAttributes(["author", "item.name"], Checkpoint())
    #expect(try attributes.role(of: "author.name.first", Checkpoint())?.rank == 0)
    #expect(try attributes.role(of: "authority", Checkpoint()) == nil)
    #expect(try attributes.role(of: "item", Checkpoint()) == nil)
    #expect(try attributes.mayContain("item", Checkpoint()))
    #expect(try !attributes.mayContain("other", Checkpoint()))
  }

  @Test func emptyListCoversAllButReservedAttributes() throws {
    let attributes = SearchableAttributes()
    #expect(attributes.isEmpty)
    #expect(
      try attributes.role(of: "anything.at.all", Checkpoint()) == Role(rank: 0, isOrdered: false))
    #expect(try attributes.role(of: "objectID", Checkpoint()) == nil)
    #expect(try attributes.role(of: "_geoloc.lat", Checkpoint()) == nil)
  }

  @Test func theFirstEntryThatCoversAPathCounts() throws {
    let attributes = try SearchableAttributes(["author", "unordered(author.name)"], Checkpoint())
    #expect(try attributes.role(of: "author.name", Checkpoint()) == Role(rank: 0, isOrdered: true))
  }
}
