import Dispatch

/// A checked write that waits to be applied.
struct PreparedWrite<Result: Sendable>: Sendable {
  /// The written indices.
  let indexNames: [String]
  /// Other indices that become their replicas.
  let replicaNames: [String]
  /// The approximate number of changes, which take long to release if they are many.
  let partCount: Int
  /// Applies the changes.
  ///
  /// It runs a second time if the indices have other replicas than when the write started to wait.
  /// Then no other write is in progress.
  let changes: @Sendable (inout WriteTransaction) throws -> Void
  /// Returns the result, after the changes are published, for the time of the write.
  let result: @Sendable (_ time: String) -> Result

  /// Creates a write.
  init(
    to indexNames: [String], replicaNames: [String] = [], partCount: Int = 0,
    changes: @escaping @Sendable (inout WriteTransaction) throws -> Void,
    result: @escaping @Sendable (_ time: String) -> Result
  ) {
    self.indexNames = indexNames
    self.replicaNames = replicaNames
    self.partCount = partCount
    self.changes = changes
    self.result = result
  }
}

extension PreparedWrite {
  /// Creates a write that changes records of one index.
  init(
    _ changes: [RecordChange], to indexName: String, createsIndex: Bool,
    result: @escaping @Sendable (_ time: String) -> Result
  ) {
    self.init(
      to: [indexName], partCount: changes.count,
      changes: { try $0.apply(changes, to: indexName, createsIndex: createsIndex) },
      result: result)
  }

  /// Returns the indices that the write may need, with their current replicas.
  func indexNames(in store: IndexStore) -> Set<String> {
    let snapshots = store.snapshots
    var names = Set(indexNames)
    for name in indexNames { names.formUnion(snapshots[name]?.settings.replicaNames ?? []) }
    names.formUnion(replicaNames)
    return names
  }
}

/// A write that waits for its permit. If it ends without one, its caller does not release its
/// records.
final class WaitingWrite<Result: Sendable>: Sendable {
  private let write: Lock<PreparedWrite<Result>?>
  /// The time of the write.
  let time: String

  init(_ write: PreparedWrite<Result>, _ time: String) {
    self.write = Lock(write)
    self.time = time
  }

  deinit {
    guard let write = take(), write.partCount > CancellationCheck.maximumPartCount else { return }
    DispatchQueue.global(qos: .utility).async { withExtendedLifetime(write) {} }
  }

  /// Takes the write, once.
  func take() -> PreparedWrite<Result>? {
    write.withLock { write in
      defer { write = nil }
      return write
    }
  }
}
