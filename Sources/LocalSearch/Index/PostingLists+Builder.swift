extension PostingLists {
  /// Takes the postings term by term, documents ascending, occurrences ascending.
  struct Builder {
    private var starts: [UInt32] = [0]
    private var documents: [UInt32] = []
    private var places: [UInt32] = []
    private var overflow: [UInt32] = []

    /// Creates a builder with room for so many terms and postings.
    init(terms: Int, postings: Int) {
      starts.reserveCapacity(terms + 1)
      documents.reserveCapacity(postings)
      places.reserveCapacity(postings)
    }

    /// Whether the current term has postings yet.
    var isCurrentTermEmpty: Bool { starts.last.map { Int($0) == documents.count } ?? true }

    /// Adds a document with the occurrences of the current term in it; there must be at least one.
    mutating func append(document: UInt32, occurrences: ArraySlice<UInt32>) {
      guard let first = occurrences.first else { return }
      documents.append(document)
      if occurrences.count == 1 {
        places.append(first)
      } else {
        places.append(overflowFlag | UInt32(truncatingIfNeeded: overflow.count))
        overflow.append(UInt32(truncatingIfNeeded: occurrences.count))
        overflow.append(contentsOf: occurrences)
      }
    }

    /// Ends the current term and begins the next.
    mutating func endTerm() { starts.append(UInt32(truncatingIfNeeded: documents.count)) }

    /// Makes the lists.
    consuming func build() -> PostingLists {
      PostingLists(starts: starts, documents: documents, places: places, overflow: overflow)
    }
  }
}
