/// Which of some members, such as the answers of a cache, belong to which index.
struct IndexMembers<Member: Hashable & Sendable>: Sendable {
  private var byName: [String: Set<Member>] = [:]
  private var ofAny: Set<Member> = []

  mutating func insert(_ member: Member, in indices: NamedIndices) {
    switch indices {
    case .any: ofAny.insert(member)
    case .some(let names): for name in names { byName[name, default: []].insert(member) }
    }
  }

  mutating func remove(_ member: Member, of indices: NamedIndices) {
    switch indices {
    case .any: ofAny.remove(member)
    case .some(let names):
      for name in names {
        byName[name]?.remove(member)
        if byName[name]?.isEmpty == true { byName[name] = nil }
      }
    }
  }

  /// The members that may belong to one of the indices; `nil` for all of them.
  func members(of indices: NamedIndices) -> Set<Member>? {
    guard case .some(let names) = indices else { return nil }
    return names.reduce(into: ofAny) { $0.formUnion(byName[$1] ?? []) }
  }
}
