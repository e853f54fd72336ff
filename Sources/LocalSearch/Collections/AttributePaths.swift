/// The attributes found in records, as a tree in which every path has a number.
///
/// A path is stored as its last key and its parent path. So getting the path of a member takes time
/// and memory in proportion to its key, regardless of the length of the path. Keys are compared by
/// their bytes. Two Unicode forms of a name are two paths with equal names.
struct AttributePaths {
  /// The path of the record itself.
  static let root = 0

  private struct Path {
    let parent: Int
    let key: Int
    let length: Int
    /// The name, if it is short. Other names are built on demand.
    let name: String?
  }

  /// The maximum length of a stored name.
  private static let keptLength = 128

  private var paths = [Path(parent: -1, key: -1, length: 0, name: "")]
  private var keys = TermTable()
  /// The paths by parent (the upper half of the number) and key.
  private var children: [UInt64: UInt32] = [:]
  private let headLength: Int

  /// Creates a tree without paths.
  ///
  /// - Parameter listed: The paths that are looked for.
  init(listed: some Sequence<String>) {
    // Equal texts in different Unicode forms differ in length by less than a factor of four. The
    // dot after a listed path is part of the head.
    headLength = 4 * listed.reduce(0) { max($0, $1.utf8.count) } + 2
  }

  /// The number of paths, including the record itself.
  var count: Int { paths.count }

  /// The length of a path's name, in bytes.
  func length(of path: Int) -> Int { paths[path].length }

  /// The start of a path's name, up to the length that a listed path can have.
  ///
  /// A listed path relates to the head as it does to the whole name: equal, above, or neither.
  ///
  /// - Complexity: O(1) for a short name, otherwise in proportion to the listed paths and the
  ///   depth.
  func head(of path: Int) -> String {
    if let name = paths[path].name { return name }
    var numbers: [Int] = []
    var above = path
    while above != Self.root {
      numbers.append(above)
      above = paths[above].parent
    }
    var head: [UInt8] = []
    for number in numbers.reversed() where head.count <= headLength {
      if paths[number].parent != Self.root { head.append(UInt8(ascii: ".")) }
      head += keys.bytes(of: paths[number].key).prefix(headLength + 1)
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// The name of a path, or `nil` if it is longer than a listed path can be.
  func shortName(of path: Int) -> String? {
    paths[path].length <= headLength ? head(of: path) : nil
  }

  /// The name of a path, with dots between the keys.
  func name(of path: Int, _ cancellation: CancellationCheck) throws -> String {
    if let name = shortName(of: path) { return name }
    try cancellation.count(bytes: paths[path].length)
    var numbers: [Int] = []
    var path = path
    while path != Self.root {
      try cancellation.count()
      numbers.append(path)
      path = paths[path].parent
    }
    var name: [UInt8] = []
    for number in numbers.reversed() {
      if paths[number].parent != Self.root { name.append(UInt8(ascii: ".")) }
      name += keys.bytes(of: paths[number].key)
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Returns the path of a member, which is created on first use.
  mutating func child(
    _ key: String, of parent: Int, _ cancellation: CancellationCheck
  ) throws -> Int {
    let bytes = Array(key.utf8)
    try cancellation.count(bytes: bytes.count)
    let number = try keys.intern(bytes, bytes.indices, cancellation)
    let edge = UInt64(parent) &<< 32 | UInt64(number)
    if let known = children[edge] { return Int(known) }
    let child = paths.count
    children[edge] = UInt32(truncatingIfNeeded: child)
    let above = paths[parent]
    let length = parent == Self.root ? bytes.count : above.length + 1 + bytes.count
    var name: String?
    if length <= Self.keptLength, let parentName = above.name {
      name = parent == Self.root ? key : parentName + "." + key
    }
    paths.append(Path(parent: parent, key: number, length: length, name: name))
    return child
  }
}
