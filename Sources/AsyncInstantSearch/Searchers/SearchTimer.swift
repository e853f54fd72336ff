/// A deadline that moves, and the one task that sleeps until it.
///
/// The deadlines of a timer move to later times only. So the task is not woken when the deadline
/// moves, or when it is removed. It wakes at its own time, and then sleeps again or ends. Ten
/// keystrokes within one debounce take one task and two sleeps.
struct SearchTimer {
  /// A deadline and the search that it belongs to.
  struct Target {
    let generation: UInt64
    let deadline: Duration

    init(_ generation: UInt64, _ deadline: Duration) {
      self.generation = generation
      self.deadline = deadline
    }
  }

  /// A task to start.
  struct NewSleeper: Sendable {
    let id: UInt64
    let wake: Duration
    /// The previous task, which would wake too late.
    let replaced: UInt64?
  }

  /// The next step of a task that has woken.
  enum Wakeup {
    case sleepAgain(until: Duration)
    case due(Target)
    case end
  }

  private struct Sleeper {
    /// The key of its task.
    let id: UInt64
    var wake: Duration
  }

  private var target: Target?
  private var sleeper: Sleeper?

  /// Replaces the deadline; returns the task that must be started for it, if any.
  mutating func setTarget(_ target: Target, nextID: UInt64) -> NewSleeper? {
    self.target = target
    if let sleeper, sleeper.wake <= target.deadline { return nil }
    let replaced = sleeper?.id
    sleeper = Sleeper(id: nextID, wake: target.deadline)
    return NewSleeper(id: nextID, wake: target.deadline, replaced: replaced)
  }

  /// Removes the deadline of a generation. The task sleeps on.
  mutating func clear(_ generation: UInt64) {
    if target?.generation == generation { target = nil }
  }

  /// A task has woken at its wake time; returns `nil` if it is not this timer's task.
  mutating func woke(_ id: UInt64) -> Wakeup? {
    guard let sleeper, sleeper.id == id else { return nil }
    guard let target else {
      self.sleeper = nil
      return .end
    }
    if target.deadline > sleeper.wake {
      self.sleeper?.wake = target.deadline
      return .sleepAgain(until: target.deadline)
    }
    self.target = nil
    self.sleeper = nil
    return .due(target)
  }
}
