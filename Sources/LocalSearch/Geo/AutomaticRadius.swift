/// Chooses the radius of a search that names a point but no radius.
///
/// It is the smallest radius that holds 1000 of the matching records, or all of them when there are
/// fewer, and not below the minimum.
struct AutomaticRadius {
  let circle: GeoCircle
  let minimum: Int
  let checkpoint: Checkpoint

  /// How many records the radius is to hold.
  static let recordCount = 1000
  /// More than half of the Earth's circumference, in metres.
  private static let farthest = 20_100_000.0

  /// The radius in whole metres.
  ///
  /// The grid is asked for circles of doubled size until one holds enough records, so that
  /// distances are only worked out near the point.
  func find(_ columns: [GeoColumn], matching: [Bitmap]) throws -> Int {
    var radius = 1000.0
    while true {
      try checkpoint.check()
      let near = try zip(columns, matching).map { column, matching in
        var documents = try circle.documents(
          within: radius, in: column, count: matching.count, checkpoint)
        documents.formIntersection(matching)
        return documents
      }
      let count = near.reduce(0) { $0 + $1.cardinality }
      if count >= Self.recordCount || radius >= Self.farthest {
        return max(minimum, try chosen(columns, near))
      }
      radius *= 2
    }
  }

  /// The distance of the last record that is to be held, rounded up.
  private func chosen(_ columns: [GeoColumn], _ documents: [Bitmap]) throws -> Int {
    var distances: [Double] = []
    for (column, documents) in zip(columns, documents) {
      try checkpoint.check()
      try documents.forEach { document in
        if let nearest = try circle.nearest(of: document, in: column, checkpoint) {
          distances.append(nearest.meters)
        }
      }
    }
    try checkpoint.sort(&distances, by: <)
    let last = distances.prefix(Self.recordCount).last ?? 0
    return max(1, Int(last.rounded(.up)))
  }
}
