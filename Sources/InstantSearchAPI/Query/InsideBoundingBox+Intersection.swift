extension InsideBoundingBox {
  /// Returns the intersection of both as rectangles; empty if they do not intersect, and `nil` if
  /// one of them is malformed.
  package func intersection(_ other: InsideBoundingBox) -> InsideBoundingBox? {
    guard let own = parts, let others = other.parts else { return nil }
    var common: [[Double]] = []
    for left in own {
      for right in others {
        let (south, west) = (max(left[0], right[0]), max(left[1], right[1]))
        let (north, east) = (min(left[2], right[2]), min(left[3], right[3]))
        if south <= north, west <= east { common.append([south, west, north, east]) }
      }
    }
    return .boxes(common)
  }

  /// The rectangles as south, west, north, east, with longitudes normalized to -180 to 180. The
  /// contract's longitudes can exceed that range. `nil` if one does not consist of four finite
  /// numbers.
  private var parts: [[Double]]? {
    var parts: [[Double]] = []
    for corners in rectangles ?? [[]] {
      guard corners.count == 4, corners.allSatisfy(\.isFinite) else { return nil }
      let (south, north) = (min(corners[0], corners[2]), max(corners[0], corners[2]))
      let (west, east) = (min(corners[1], corners[3]), max(corners[1], corners[3]))
      guard east - west < 360 else {
        parts.append([south, -180, north, 180])
        continue
      }
      for offset in [0.0, 360, -360] {
        let (left, right) = (max(west - offset, -180), min(east - offset, 180))
        if left <= right { parts.append([south, left, north, right]) }
      }
    }
    return parts
  }
}
