import Dispatch
import Foundation

/// Runs code on another thread, which belongs to no change of the caller, and waits for it.
func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    isDone.signal()
  }
  isDone.wait()
}
