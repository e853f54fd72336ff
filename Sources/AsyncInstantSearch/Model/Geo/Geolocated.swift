/// A record that knows where it is, such as ``Hit``.
public protocol Geolocated {
  /// The place or the places of the record; `nil` when it has none.
  var geolocation: SingleOrList<Point>? { get }
}
