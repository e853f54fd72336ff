/// A record that knows where it is, such as ``Hit``.
///
/// A record type of your own takes part with a property for the member `_geoloc`:
///
/// ```swift
/// struct Shop: Decodable, Geolocated {
///   let name: String
///   let geolocation: SingleOrList<Point>?
///
///   enum CodingKeys: String, CodingKey {
///     case name
///     case geolocation = "_geoloc"
///   }
/// }
/// ```
///
/// Of such a type a record whose `_geoloc` is no place does not decode; ``Hit`` passes over it.
public protocol Geolocated {
  /// The place or the places of the record; `nil` when it has none.
  var geolocation: SingleOrList<Point>? { get }
}

extension JSON: Geolocated {
  /// The places in the member `_geoloc`; `nil` when there is none or it cannot be read.
  public var geolocation: SingleOrList<Point>? {
    try? self[HitMember.geolocation.rawValue]?.decode()
  }
}
