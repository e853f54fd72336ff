/// Makes the decisions of a transport: a value without a clock, a lock or tasks.
///
/// Each event is a mutating method that returns actions to perform, in order.
protocol StateMachine: Sendable {
  /// An action to perform after an event.
  associatedtype Action: Sendable
  /// Identifies a task that an action starts or cancels.
  associatedtype TaskKey: Hashable & Sendable

  /// The task that an action starts; `nil` if it starts no task.
  static func startedTask(by action: Action) -> TaskKey?
}

/// A state machine behind a lock, and the tasks that its actions start.
final class SharedStateMachine<Machine: StateMachine>: Sendable {
  private let machine: Lock<Machine>
  let tasks: TaskBag<Machine.TaskKey>

  init(_ machine: Machine, executor: (any TaskExecutor)?) {
    self.machine = Lock(machine)
    tasks = TaskBag(executor: executor)
  }

  /// Reads the state.
  func read<Value: Sendable>(_ body: (Machine) -> Value) -> Value {
    machine.withLock { body($0) }
  }

  /// Runs an event under the lock, and reserves the tasks that its actions start. If another thread
  /// cancels such a task before it is started, it never starts.
  fileprivate func change<Value: Sendable>(
    _ event: (inout Machine) -> (Value, [Machine.Action])
  ) -> (Value, [Machine.Action]) {
    machine.withLock { machine in
      let (value, actions) = event(&machine)
      for case let key? in actions.lazy.map(Machine.startedTask) { tasks.reserve(key) }
      return (value, actions)
    }
  }
}

/// Sends events to a state machine and performs its actions.
protocol StateMachineDriver: AnyObject, Sendable {
  associatedtype Machine: StateMachine

  var machine: SharedStateMachine<Machine> { get }

  /// Performs an action. No lock is held.
  func perform(_ action: Machine.Action)
}

extension StateMachineDriver {
  /// Runs an event under the lock, then performs its actions without the lock.
  func send<Value: Sendable>(
    _ event: (inout Machine) -> (Value, [Machine.Action])
  ) -> Value {
    let (value, actions) = machine.change(event)
    for action in actions { perform(action) }
    return value
  }

  /// Runs an event without a value under the lock, then performs its actions without the lock.
  func send(_ event: (inout Machine) -> [Machine.Action]) {
    send { ((), event(&$0)) }
  }
}
