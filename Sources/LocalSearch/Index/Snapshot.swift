import AsyncInstantSearch

/// The state of an index at one moment: settings, segments, and which of their documents exist.
///
/// Immutable. A write makes a new snapshot that shares the segments it does not touch; calls that
/// read the old one go on reading it.
package struct Snapshot: Sendable {
  /// The settings that the segments were made with.
  package let settings: IndexSettings
  /// The segments, oldest first.
  let segments: [SegmentView]
  /// The number of writes that led here.
  package let version: UInt64
  private let knownMistakes = Known<Mistakes>()
  /// The lists of attributes in the settings, once they were made.
  let knownLists = Known<SettingsLists>()
  /// The groups of the records, once they were numbered.
  let knownGroups = Known<GroupNumbering>()

  /// What is wrong with the settings, worked out when it is first asked for.
  func mistakes(_ checkpoint: Checkpoint) throws -> Mistakes {
    try knownMistakes.value { try settingsMistakes(checkpoint) }
  }

  /// The number of records.
  package var recordCount: Int { segments.reduce(0) { $0 + $1.liveCount } }

  /// Returns an index without records.
  package static func empty(settings: IndexSettings) -> Snapshot {
    Snapshot(settings: settings, segments: [], version: 0)
  }

  /// Returns where the record with an object ID is.
  ///
  /// - Complexity: O(log n) in each segment.
  package func locate(objectID: String) -> (segment: Int, document: Int)? {
    for (index, view) in segments.enumerated().reversed() {
      if let document = view.segment.records.document(withObjectID: objectID), view.live[document] {
        return (index, document)
      }
    }
    return nil
  }

  /// The number of segments.
  package var segmentCount: Int { segments.count }

  /// Returns the JSON text of a record, its `objectID` included.
  package func record(segment: Int, document: Int) -> ArraySlice<UInt8> {
    segments[segment].segment.records.bytes(of: document)
  }

  /// Returns the object ID of a record.
  package func objectID(segment: Int, document: Int) -> String {
    segments[segment].segment.records.objectID(of: document)
  }

  /// The live documents of each segment.
  package var liveDocuments: [Bitmap] { segments.map(\.live) }
}

/// Keeps a value that is worked out when it is first asked for.
final class Known<Value: Sendable>: Sendable {
  private let value = Lock<Value?>(nil)

  /// The value; two calls at once may both work it out, and one that ends early keeps none.
  func value(_ make: () throws -> Value) rethrows -> Value {
    if let known = value.withLock({ $0 }) { return known }
    let made = try make()
    value.withLock { $0 = made }
    return made
  }
}
