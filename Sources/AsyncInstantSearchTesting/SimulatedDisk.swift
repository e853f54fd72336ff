public import InstantSearchAPI

/// A disk in memory that simulates failing calls and power failures, chosen by a seed.
///
/// Give it to an engine, and test the program when its disk fails as real disks do:
///
///     let disk = SimulatedDisk()
///     var configuration = LocalSearch.Configuration()
///     configuration.disk = disk
///     let engine = try await LocalSearch(file: "films.search", configuration: configuration)
///     disk.fail(call: disk.callCount + 3, with: .full)
///     ...
///     configuration.disk = disk.afterPowerFailure(seed: 7)
///     let reopened = try await LocalSearch(file: "films.search", configuration: configuration)
///
/// Data that was written and not synchronized may be lost, completely or in part, in any order. So
/// may the names of files whose folder was not synchronized. All paths are in one folder, and are
/// taken as they are: a relative path and an absolute one are two files.
public final class SimulatedDisk: Disk {
  /// How a call fails.
  public enum Fault: Sendable, Hashable, CaseIterable {
    /// It does nothing, and is an error.
    case error
    /// It does its work, and is an error.
    case lateError
    /// It writes a part, without an error: the caller writes the rest. A call that does not write
    /// succeeds.
    case short
    /// It writes a part, or does nothing if it does not write, and is the error of a full disk.
    /// Later calls succeed.
    case full
    /// The program ends: this call does a part of its work, and all later calls are an error.
    case crash
  }

  private let state: Lock<DiskState>

  /// Creates a disk without files.
  ///
  /// - Parameter seed: Determines the size of the part that a failing call writes.
  public init(seed: UInt64 = 0) {
    state = Lock(DiskState(generator: SeededGenerator(seed: seed)))
  }

  fileprivate init(_ state: DiskState) { self.state = Lock(state) }

  /// The number of calls so far.
  public var callCount: Int { state.withLock { $0.callCount } }

  /// Makes a call fail.
  ///
  /// - Parameters:
  ///   - number: The number of the call, from 1 for the first call of the disk.
  ///   - fault: How it fails.
  public func fail(call number: Int, with fault: Fault) {
    state.withLock { $0.faults[number] = fault }
  }

  /// Returns the disk as it can be after a power failure now, without faults and locks.
  ///
  /// - Parameter seed: Determines the lost data.
  public func afterPowerFailure(seed: UInt64) -> SimulatedDisk {
    SimulatedDisk(state.withLock { $0.afterPowerFailure(seed: seed) })
  }

  /// Returns the disk as it is after the end of the program: nothing is lost, and no file is
  /// locked.
  public func afterExit() -> SimulatedDisk { SimulatedDisk(state.withLock { $0.afterExit() }) }

  /// The names of the files, sorted.
  public var paths: [String] { state.withLock { $0.names.keys.sorted() } }

  /// The bytes of a file, or `nil`. Setting them does not count as a call, and needs no
  /// synchronization.
  public subscript(path: String) -> [UInt8]? {
    get { state.withLock { state in state.names[path].flatMap { state.files[$0]?.bytes } } }
    set { state.withLock { $0.set(newValue, path) } }
  }

  /// Returns the path as it is.
  public func absolutePath(of path: String) throws -> String {
    try state.withLock { try $0.call(path) { _, _ in path } }
  }

  /// Opens a file. Permissions have no meaning here.
  public func open(
    _ path: String, _ mode: DiskMode, permissionsOf model: String?
  ) throws -> any DiskFile {
    let number = try state.withLock { state in
      try state.call(path) { state, _ in try state.open(path, mode) }
    }
    return SimulatedFile(self, number, path)
  }

  /// Returns the paths of the files whose path begins with a text.
  public func paths(beginningWith prefix: String) throws -> [String] {
    try state.withLock { state in
      try state.call(prefix) { state, _ in state.names.keys.filter { $0.hasPrefix(prefix) } }
    }
  }

  /// Gives a file another name, and replaces a file of that name in one step.
  public func rename(_ path: String, to newPath: String) throws {
    try state.withLock { state in
      try state.call(path) { state, _ in try state.rename(path, to: newPath) }
    }
  }

  /// Removes a file.
  public func remove(_ path: String) throws {
    try state.withLock { state in
      try state.call(path) { state, _ in try state.remove(path) }
    }
  }

  /// Waits until the names in the folder of a path are on the disk.
  public func synchronizeFolder(of path: String) throws {
    try state.withLock { state in
      try state.call(path) { state, _ in state.synchronizeNames() }
    }
  }

  fileprivate func call<Result: Sendable>(
    _ number: Int, _ path: String, isWrite: Bool = false,
    _ body: @Sendable (inout DiskState.File, DiskState.Part) throws -> Result
  ) throws -> Result {
    try state.withLock { state in
      try state.call(path, isWrite: isWrite) { state, part in
        guard var file = state.files.removeValue(forKey: number) else {
          throw DiskError(.notFound, path: path)
        }
        defer { state.files[number] = file }
        return try body(&file, part)
      }
    }
  }

  fileprivate func lock(_ number: Int, _ path: String) throws -> Bool {
    try state.withLock { state in
      try state.call(path) { state, _ in
        guard state.names[path] == number, state.files[number]?.isLocked == false else {
          return false
        }
        state.files[number]?.isLocked = true
        return true
      }
    }
  }

  fileprivate func isNamed(_ number: Int, _ path: String) throws -> Bool {
    try state.withLock { state in
      try state.call(path) { state, _ in state.names[path] == number }
    }
  }

  fileprivate func close(_ number: Int, isLocked: Bool) {
    if isLocked { state.withLock { $0.files[number]?.isLocked = false } }
  }
}

/// An open file of a simulated disk.
private final class SimulatedFile: DiskFile {
  private let disk: SimulatedDisk
  private let number: Int
  private let path: String
  private let isLocked = Lock(false)

  init(_ disk: SimulatedDisk, _ number: Int, _ path: String) {
    self.disk = disk
    self.number = number
    self.path = path
  }

  deinit { disk.close(number, isLocked: isLocked.withLock { $0 }) }

  func size() throws -> Int { try disk.call(number, path) { file, _ in file.bytes.count } }

  func read(_ count: Int, at offset: Int) throws -> [UInt8] {
    try disk.call(number, path) { file, _ in Array(file.bytes.dropFirst(offset).prefix(count)) }
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> Int {
    let path = path
    return try disk.call(number, path, isWrite: true) { file, part in
      let count = part.count(bytes.count)
      file.change(.write(Array(bytes.prefix(count)), offset: offset))
      if case .endsEarly(_, let error?) = part { throw DiskError(error, path: path) }
      return count
    }
  }

  func truncate(to size: Int) throws {
    try disk.call(number, path) { file, _ in file.change(.truncate(size)) }
  }

  func synchronize() throws { try disk.call(number, path) { file, _ in file.synchronize() } }

  func lock() throws -> Bool {
    let isFree = try disk.lock(number, path)
    if isFree { isLocked.withLock { $0 = true } }
    return isFree
  }

  func isNamed(_ path: String) throws -> Bool { try disk.isNamed(number, path) }
}

/// The files of a simulated disk, and the parts that are guaranteed to survive.
private struct DiskState: Sendable {
  /// A change of a file that is not on the disk yet.
  enum Change: Sendable {
    case write([UInt8], offset: Int)
    case truncate(Int)
  }

  struct File: Sendable {
    /// The bytes that survive, and the changes since.
    var safeBytes: [UInt8] = []
    var changes: [Change] = []
    /// The bytes that the program sees.
    var bytes: [UInt8] = []
    var isLocked = false

    mutating func change(_ change: Change) {
      changes.append(change)
      Self.apply(change, to: &bytes)
    }

    mutating func synchronize() {
      safeBytes = bytes
      changes = []
    }

    static func apply(_ change: Change, to bytes: inout [UInt8]) {
      switch change {
      case .write(let written, let offset):
        if bytes.count < offset {
          bytes += [UInt8](repeating: 0, count: offset - bytes.count)
        }
        bytes.replaceSubrange(offset..<min(bytes.count, offset + written.count), with: written)
      case .truncate(let size):
        if size <= bytes.count {
          bytes.removeLast(bytes.count - size)
        } else {
          bytes += [UInt8](repeating: 0, count: size - bytes.count)
        }
      }
    }
  }

  /// The part of its work that a call does.
  enum Part {
    case whole
    /// A write ends after a part, for a reason if that is an error.
    case endsEarly(Double, DiskError.Reason?)

    func count(_ count: Int) -> Int {
      guard case .endsEarly(let part, let error) = self else { return count }
      let written = Int(Double(count) * part)
      return error == nil ? min(count, max(1, written)) : written
    }
  }

  var generator: SeededGenerator
  var callCount = 0
  var faults: [Int: SimulatedDisk.Fault] = [:]
  var hasCrashed = false
  var files: [Int: File] = [:]
  var lastFile = 0
  /// The names that the program sees, the names that survive, and each state in between.
  var names: [String: Int] = [:]
  var safeNames: [String: Int] = [:]
  var changedNames: [[String: Int]] = []

  /// Performs a call, or makes it fail.
  mutating func call<Result>(
    _ path: String, isWrite: Bool = false, _ body: (inout DiskState, Part) throws -> Result
  ) throws -> Result {
    if hasCrashed { throw DiskError(.simulated, path: path) }
    callCount += 1
    let part = Double.random(in: 0..<1, using: &generator)
    switch faults[callCount] {
    case nil: return try body(&self, .whole)
    case .error: throw DiskError(.simulated, path: path)
    case .lateError:
      _ = try body(&self, .whole)
      throw DiskError(.simulated, path: path)
    case .short: return try body(&self, .endsEarly(part, nil))
    case .full:
      if isWrite { _ = try? body(&self, .endsEarly(part, .full)) }
      throw DiskError(.full, path: path)
    case .crash:
      if isWrite || part < 0.5 { _ = try? body(&self, .endsEarly(part, .simulated)) }
      hasCrashed = true
      throw DiskError(.simulated, path: path)
    }
  }

  mutating func open(_ path: String, _ mode: DiskMode) throws -> Int {
    if let number = names[path] {
      if mode == .replacing { files[number]?.change(.truncate(0)) }
      return number
    }
    guard mode == .replacing || mode == .locking else { throw DiskError(.notFound, path: path) }
    lastFile += 1
    files[lastFile] = File()
    let number = lastFile
    setNames { $0[path] = number }
    return number
  }

  mutating func rename(_ path: String, to newPath: String) throws {
    guard let number = names[path] else { throw DiskError(.notFound, path: path) }
    setNames {
      $0[path] = nil
      $0[newPath] = number
    }
  }

  mutating func remove(_ path: String) throws {
    guard names[path] != nil else { throw DiskError(.notFound, path: path) }
    setNames { $0[path] = nil }
  }

  mutating func synchronizeNames() {
    safeNames = names
    changedNames = []
  }

  mutating func set(_ bytes: [UInt8]?, _ path: String) {
    var number: Int?
    if let bytes {
      lastFile += 1
      number = lastFile
      files[lastFile] = File(safeBytes: bytes, bytes: bytes)
    }
    names[path] = number
    safeNames[path] = number
    for index in changedNames.indices { changedNames[index][path] = number }
  }

  private mutating func setNames(_ change: (inout [String: Int]) -> Void) {
    change(&names)
    changedNames.append(names)
  }

  func afterExit() -> DiskState {
    var state = DiskState(generator: generator)
    state.lastFile = lastFile
    state.names = names
    state.safeNames = safeNames
    state.changedNames = changedNames
    state.files = files.mapValues { file in
      var file = file
      file.isLocked = false
      return file
    }
    return state
  }

  func afterPowerFailure(seed: UInt64) -> DiskState {
    var generator = SeededGenerator(seed: seed)
    var state = DiskState(generator: generator)
    state.lastFile = lastFile
    // The changes of names are kept in order, up to one of them.
    let kept = Int.random(in: 0...changedNames.count, using: &generator)
    state.names = kept == 0 ? safeNames : changedNames[kept - 1]
    state.safeNames = state.names
    for (number, file) in files.sorted(by: { $0.key < $1.key }) {
      let bytes = Self.bytes(of: file, &generator)
      state.files[number] = File(safeBytes: bytes, bytes: bytes)
    }
    return state
  }

  /// Returns the bytes of a file after a power failure: any of its changes, complete or in part.
  private static func bytes(of file: File, _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = file.safeBytes
    let keepsMost = Bool.random(using: &generator)
    for change in file.changes {
      switch Int.random(in: 0..<(keepsMost ? 8 : 3), using: &generator) {
      case 0: continue
      case 1:
        guard case .write(let written, let offset) = change else { continue }
        // Whole sectors of a write are on the disk, any of them.
        let sector = 512
        for start in stride(from: 0, to: written.count, by: sector)
        where Bool.random(using: &generator) {
          let part = Array(written[start..<min(start + sector, written.count)])
          File.apply(.write(part, offset: offset + start), to: &bytes)
        }
      default: File.apply(change, to: &bytes)
      }
    }
    return bytes
  }
}
