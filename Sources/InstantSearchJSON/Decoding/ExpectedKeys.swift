/// For each depth the object read last and the key that is expected next in it.
///
/// Members are mostly asked for in the order of the text. To remember the place costs no reference
/// counting and no check for exclusive access here: the memory is this object's own, it is read and
/// written by the one thread that decodes, and every access is below ``depths``. Measured: with an
/// array in its place a page of records takes 1.1 times as long.
@safe
final class ExpectedKeys {
  private static let depths = 32

  private struct Place {
    var object = -1
    var key = -1
  }

  private let places: UnsafeMutablePointer<Place>

  init() {
    unsafe places = UnsafeMutablePointer<Place>.allocate(capacity: Self.depths)
    unsafe places.initialize(repeating: Place(), count: Self.depths)
  }

  deinit { unsafe places.deallocate() }

  /// The tape index of the key that is expected next in an object, if that is known.
  @inline(__always)
  func key(inObjectAt object: Int, depth: Int) -> Int? {
    guard depth >= 0, depth < Self.depths, unsafe places[depth].object == object else { return nil }
    return unsafe places[depth].key
  }

  /// Notes the tape index of the key, or of the end of the object, behind the member found last.
  @inline(__always)
  func expect(_ key: Int, inObjectAt object: Int, depth: Int) {
    guard depth >= 0, depth < Self.depths else { return }
    unsafe places[depth] = Place(object: object, key: key)
  }
}
