extension JSONDocument {
  /// A step from a container to one of its children.
  struct Step {
    /// The tape index of the container.
    var container: Int
    /// The child's position, counted in elements or members.
    var position: Int
  }

  /// The steps from the root to the value at a tape index.
  ///
  /// Nothing is recorded while values are read. The values of a document lie in the order of their
  /// bytes, so each step is a binary search among the children of one container.
  ///
  /// - Complexity: O(depth · log children).
  func steps(to index: Int) -> [Step] {
    let target = range(at: index)
    var steps: [Step] = []
    var current = tape.count - 1
    while current != index {
      let word = tape[current]
      let stride: Int
      switch word.kind {
      case .array: stride = 1
      case .object: stride = 2
      default: return steps
      }
      var low = 0
      var high = word.size
      while low < high {
        let middle = (low + high) / 2
        let child = word.offset + middle * stride + stride - 1
        if range(at: child).upperBound < target.upperBound {
          low = middle + 1
        } else {
          high = middle
        }
      }
      guard low < word.size else { return steps }
      steps.append(Step(container: current, position: low))
      current = word.offset + low * stride + stride - 1
    }
    return steps
  }

  /// The coding key of a step; `rename` is applied to the keys of objects.
  func codingKey(of step: Step, rename: (String) -> String = { $0 }) -> JSONCodingKey {
    let word = tape[step.container]
    if word.kind == .object {
      return JSONCodingKey(stringValue: rename(text(at: word.offset + 2 * step.position)))
    }
    return JSONCodingKey(index: step.position)
  }
}
