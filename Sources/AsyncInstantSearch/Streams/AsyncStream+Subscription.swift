extension AsyncStream where Element: Sendable {
  /// Calls a closure with each value, in a task that holds the stream only.
  ///
  /// ```swift
  /// searcher.pages(of: Hit<Film>.self).subscribe { @MainActor page in screen.draw(page) }
  /// ```
  ///
  /// A loop in a task of your own holds what its closure mentions:
  /// `Task { for await page in searcher.pages(of: Film.self) { … } }` keeps the searcher, whose
  /// stream then never ends. Here the stream is made first, so the searcher goes with its last
  /// reference, the stream ends, and so does the task; as long as `receive` does not hold the
  /// searcher either.
  ///
  /// The subscription begins with the call, before it returns. The next value is taken when the
  /// closure has returned.
  ///
  /// - Parameters:
  ///   - priority: The task's priority; that of the current task by default.
  ///   - receive: Called with each value, on the actor it belongs to.
  /// - Returns: The subscription. It stays when it is dropped; `disconnect()` ends it, and with it
  ///   the task.
  @discardableResult
  public func subscribe(
    priority: TaskPriority? = nil,
    _ receive: @escaping @isolated(any) @Sendable (Element) async -> Void
  ) -> Connection {
    let values = self
    let task = Task(priority: priority) {
      for await value in values {
        if Task.isCancelled { break }
        await receive(value)
      }
    }
    return Connection { task.cancel() }
  }
}
