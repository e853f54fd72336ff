extension JSONDocument {
  /// A step from a container to one of its children.
  struct Step {
    /// The tape index of the container.
    var container: Int
    /// The tape index of the child.
    var child: Int
    /// The child's position, counted in elements or members.
    var position: Int
  }

  /// The steps from the root to the value at a tape index.
  ///
  /// Nothing is recorded while values are read: a value lies between its siblings on the tape, so
  /// the way to it is found from the outermost container inwards.
  ///
  /// - Complexity: O(depth · children of a container); for values asked for one after the other, in
  ///   the order of the text, the children are walked over once. See ``PathHints``.
  func steps(to index: Int) -> [Step] {
    var steps: [Step] = []
    var current = 0
    while current != index {
      let isObject = word(at: current).kind == .object
      var children = tape.children(of: current)
      var position = 0
      // No child stands nearer to its container than two words behind it, for the frame is between.
      if let hint = pathHints.hint(atDepth: steps.count), hint.child > current + 1,
        hint.child <= index
      {
        children.index = isObject ? hint.child - 1 : hint.child
        position = hint.position
      }
      while true {
        let next =
          isObject
          ? children.nextKey(on: tape).map { $0 + 1 } : children.nextElement(on: tape)
        guard let child = next else { return steps }
        if index < tape.end(of: child) {
          pathHints.leave(
            PathHints.Hint(child: child, position: position), atDepth: steps.count)
          steps.append(Step(container: current, child: child, position: position))
          current = child
          break
        }
        position += 1
      }
    }
    return steps
  }

  /// The coding key of a step; `rename` is applied to the keys of objects.
  func codingKey(of step: Step, rename: (String) -> String = { $0 }) -> JSONCodingKey {
    word(at: step.container).kind == .object
      ? JSONCodingKey(stringValue: rename(key(of: step.child)))
      : JSONCodingKey(index: step.position)
  }
}
