/// Fills nested containers alternately, out of order.
struct Interleaved: Encodable {
  enum Keys: String, CodingKey { case a, b, c, d, e }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    var object = container.nestedContainer(keyedBy: Keys.self, forKey: .a)
    var array = container.nestedUnkeyedContainer(forKey: .b)
    let late = container.superEncoder(forKey: .e)
    try container.encode(1, forKey: .c)
    try array.encode("x")
    try object.encode(2, forKey: .a)
    var inner = array.nestedUnkeyedContainer()
    try array.encode([true])
    var again = container.nestedContainer(keyedBy: Keys.self, forKey: .a)
    try again.encode(Dog(), forKey: .b)
    try inner.encode(3.5)
    try inner.encodeNil()
    let last = array.superEncoder()
    try container.encodeNil(forKey: .d)
    try "last".encode(to: last)
    var deep = inner.nestedContainer(keyedBy: Keys.self)
    try deep.encode([Int?.some(1), nil], forKey: .e)
    var lateList = late.unkeyedContainer()
    try lateList.encode(contentsOf: [1, 2, 3])
  }
}
