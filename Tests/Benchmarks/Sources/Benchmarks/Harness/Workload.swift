/// A small fixed piece of work of this library, whose processor time is compared with that of a
/// routine that never changes.
struct Workload: Sendable {
  /// Does a piece of work once.
  typealias Work = @Sendable () async throws -> Void

  /// A name without spaces.
  let name: String
  /// Prepares the work, and the routine that it is compared with, on an executor, which engines and
  /// searchers are to use too.
  let prepare: @Sendable (CallingThreadExecutor) async throws -> (work: Work, yardstick: Work)

  /// Creates a workload that is compared with ``Yardstick``.
  init(
    _ name: String, _ prepare: @escaping @Sendable (CallingThreadExecutor) async throws -> Work
  ) {
    let yardstick = Yardstick()
    self.init(name, against: { (try await prepare($0), { use(yardstick.run()) }) })
  }

  /// Creates a workload that is compared with a routine of its own.
  init(
    _ name: String,
    against prepare:
      @escaping @Sendable (CallingThreadExecutor) async throws -> (work: Work, yardstick: Work)
  ) {
    self.name = name
    self.prepare = prepare
  }
}
