import JSONProperties

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Called by libFuzzer for each input. A violated property ends the process, which keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // libFuzzer passes `count` bytes from `start` on, which stay valid during the call.
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let violations = InputProperty.violations(ofInput: input)
  guard violations.isEmpty else {
    for violation in violations { print(violation) }
    fflush(nil)
    abort()
  }
  return 0
}
