import CLocalSearch

/// The heap of the process.
enum HeapMemory {
  /// The minimum size of indexed records that leaves much free memory, in bytes.
  private static let minimumSize = 1 << 23

  /// Returns free memory to the system after records were indexed, which takes and frees more than
  /// any search.
  ///
  /// - Parameter size: The size of the records, in bytes.
  static func releaseFree(afterIndexing size: Int) {
    if size >= minimumSize { local_search_release_free_memory() }
  }
}
