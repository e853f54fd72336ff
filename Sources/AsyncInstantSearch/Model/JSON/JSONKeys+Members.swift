import InstantSearchJSON

extension JSONKeys {
  /// Creates the set of keys that the cases of an enumeration stand for, of which each is there
  /// once.
  ///
  /// The raw values of the cases, counted from 0, are the numbers of the keys: in the order in
  /// which they mostly come, the keys are found fastest.
  init<Member: RawRepresentable<Int>>(_ names: KeyValuePairs<Member, String>) {
    self.init(names.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value))
  }
}

extension JSONFoundMembers {
  /// The index of a member's value; `nil` when the object has no such member.
  subscript<Member: RawRepresentable<Int>>(member: Member) -> Int? { self[member.rawValue] }
}
