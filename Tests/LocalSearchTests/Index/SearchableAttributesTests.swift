import LocalSearch
import Testing

struct SearchableAttributesTests {
  typealias Role = SearchableAttributes.Role

  @Test func ranksFollowTheList() {
    let attributes = SearchableAttributes([
      "name", "brand, maker", "unordered( text )", "ordered(author)", " ",
    ])
    #expect(attributes.role(of: "name") == Role(rank: 0, isOrdered: true))
    #expect(attributes.role(of: "brand") == Role(rank: 1, isOrdered: false))
    #expect(attributes.role(of: "maker") == Role(rank: 1, isOrdered: false))
    #expect(attributes.role(of: "text") == Role(rank: 2, isOrdered: false))
    #expect(attributes.role(of: "author") == Role(rank: 3, isOrdered: true))
    #expect(attributes.role(of: "other") == nil)
  }

  @Test func anObjectCoversWhatIsBeneathIt() {
    let attributes = SearchableAttributes(["author", "item.name"])
    #expect(attributes.role(of: "author.name.first")?.rank == 0)
    #expect(attributes.role(of: "authority") == nil)
    #expect(attributes.role(of: "item") == nil)
    #expect(attributes.mayContain("item"))
    #expect(!attributes.mayContain("other"))
  }

  @Test func anEmptyListCoversAllButTheEnginesOwn() {
    let attributes = SearchableAttributes([])
    #expect(attributes.isEmpty)
    #expect(attributes.role(of: "anything.at.all") == Role(rank: 0, isOrdered: false))
    #expect(attributes.role(of: "objectID") == nil)
    #expect(attributes.role(of: "_geoloc.lat") == nil)
  }

  @Test func theFirstEntryThatCoversAPathCounts() {
    let attributes = SearchableAttributes(["author", "unordered(author.name)"])
    #expect(attributes.role(of: "author.name") == Role(rank: 0, isOrdered: true))
  }
}
