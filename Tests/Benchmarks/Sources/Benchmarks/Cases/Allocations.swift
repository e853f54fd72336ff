import AsyncInstantSearch
import Foundation

/// Counts the allocations while a page is decoded and destroyed.
///
/// A child process loads a small library before the C library, compiled on demand by the compiler
/// of the Swift toolchain. It counts the calls and forwards them. So this program contains nothing
/// that would slow down the measured code.
/// program that would slow down what it measures.
enum Allocations {
  /// Counts on Linux. Other systems do not support such a library.
  static func decoding(_ page: [UInt8]) throws -> BenchmarkCase.Outcome {
    #if os(Linux)
      try withCounter { counter in
        try ChildProcess.withFile(page) { file in
          func count(_ contender: Contender) throws -> Int {
            let text = try ChildProcess.ofThisProgram(
              ["child", "count-allocations", contender.rawValue, file.path],
              environment: ["LD_PRELOAD": counter.path])
            guard let count = Int(text), count > 0 else {
              throw ChildProcess.Failure(description: "the child counted nothing but \"\(text)\"")
            }
            return count
          }
          return .allocations(try count(.ours), baseline: try count(.foundation))
        }
      }
    #else
      .notMeasured("allocations are counted on Linux only")
    #endif
  }

  /// The child process: decodes a page a second time, because the first time creates permanent
  /// values, and prints the number of allocations without those of a call without hits.
  static func count(_ contender: Contender, file: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    let bytes = [UInt8](data)
    let decoder = JSONDecoder()
    func decode() throws {
      switch contender {
      case .ours: touch(try Pages.hits(bytes))
      case .foundation: _ = try decoder.decode(PlainPage<PlainHit<Product>>.self, from: data)
      }
    }
    guard let counter = AllocationCounter() else {
      throw ChildProcess.Failure(description: "the counting library is not loaded")
    }
    func callOnly() throws {
      if contender == .ours { try Pages.emptyCall() }
    }
    try callOnly()
    try decode()
    let start = counter.count
    try callOnly()
    let middle = counter.count
    try decode()
    print((counter.count - middle) - (middle - start))
  }

  /// Calls the body with the path of the counting library, which exists during the call.
  private static func withCounter(
    _ body: (URL) throws -> BenchmarkCase.Outcome
  ) throws -> BenchmarkCase.Outcome {
    try ChildProcess.withFile(Array(AllocationCounter.source.utf8)) { source in
      let library = source.appendingPathExtension("so")
      defer { try? FileManager.default.removeItem(at: library) }
      do {
        try ChildProcess.run(
          URL(fileURLWithPath: "/usr/bin/env"),
          ["clang", "-shared", "-fPIC", "-O2", "-x", "c", source.path, "-o", library.path])
      } catch {
        return .notMeasured("no C compiler made the library that counts")
      }
      return try body(library)
    }
  }
}

/// The counter of the preloaded library.
private struct AllocationCounter {
  /// The source of the library in C: the allocation functions, by the names that glibc provides.
  static let source = """
    typedef __SIZE_TYPE__ size;
    extern void *__libc_malloc(size), *__libc_calloc(size, size);
    extern void *__libc_realloc(void *, size), *__libc_memalign(size, size);
    static _Atomic long count;
    long benchmark_allocation_count(void) { return count; }
    void *malloc(size n) { count++; return __libc_malloc(n); }
    void *calloc(size n, size m) { count++; return __libc_calloc(n, m); }
    void *realloc(void *p, size n) { count++; return __libc_realloc(p, n); }
    void *memalign(size a, size n) { count++; return __libc_memalign(a, n); }
    void *aligned_alloc(size a, size n) { count++; return __libc_memalign(a, n); }
    int posix_memalign(void **p, size a, size n) {
      count++;
      *p = __libc_memalign(a, n);
      return *p ? 0 : 12;
    }
    """

  private let read: @convention(c) () -> Int

  /// Finds the counter. `nil` in a process without it.
  init?() {
    guard let program = unsafe dlopen(nil, RTLD_NOW),
      let symbol = unsafe dlsym(program, "benchmark_allocation_count")
    else { return nil }
    // The library above has one symbol of this name, a function of this type.
    read = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
  }

  /// The number of allocations so far.
  var count: Int { read() }
}

/// Measures the first call of a process, which includes all one-time costs, like the first
/// keystroke of an app.
enum ColdStart {
  /// The number of processes for each contender.
  private static let processCount = 31

  /// Measures the first decoding of a page.
  static func decoding(_ page: [UInt8]) throws -> BenchmarkCase.Outcome {
    try ChildProcess.withFile(page) { file in
      .times(
        try paired {
          try ChildProcess.ofThisProgram(["child", "decode-once", $0.rawValue, file.path])
        },
        bytes: page.count)
    }
  }

  /// Measures the first encoding of a query.
  static func encoding() throws -> BenchmarkCase.Outcome {
    .times(
      try paired { try ChildProcess.ofThisProgram(["child", "encode-once", $0.rawValue]) },
      bytes: try SampleQuery.sentBody(of: [SampleQuery.request]).count)
  }

  /// The child process: decodes the page of a file and prints the time in microseconds.
  static func decodeOnce(_ contender: Contender, file: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    let bytes = [UInt8](data)
    // A program that decodes a page has run tasks before.
    try CallingThreadExecutor().run {}
    switch contender {
    case .ours: try printTime { touch(try Pages.hits(bytes)) }
    case .foundation:
      try printTime {
        try JSONDecoder().decode(PlainPage<PlainHit<Product>>.self, from: data)
      }
    }
  }

  /// The child process: encodes a query and prints the time in microseconds. That of this library
  /// is the time of a call until the transport has the body.
  static func encodeOnce(_ contender: Contender) throws {
    switch contender {
    case .ours:
      // An app has created, compared and dropped queries before it sends one.
      let request = SampleQuery.request
      use(request == SampleQuery.requests[1])
      try CallingThreadExecutor().run {}
      try SampleQuery.printTime(of: request)
    case .foundation:
      let query = PlainQuery.sample
      try printTime { try JSONEncoder().encode(query) }
    }
  }

  private static func printTime<Value>(_ body: () throws -> Value) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let value = try body()
    let end = clock.now
    withExtendedLifetime(value) {}
    print(start.duration(to: end).microseconds)
  }

  /// Starts processes alternately. Each prints a time.
  private static func paired(_ start: (Contender) throws -> String) throws -> Paired {
    var times: [Double] = []
    var baselineTimes: [Double] = []
    for _ in 0..<processCount {
      times.append(try time(start(.ours)))
      baselineTimes.append(try time(start(.foundation)))
    }
    return Paired(times: times, baselineTimes: baselineTimes)
  }

  private static func time(_ text: String) throws -> Double {
    guard let time = Double(text), time > 0 else {
      throw ChildProcess.Failure(description: "the child printed no time but \"\(text)\"")
    }
    return time
  }
}
