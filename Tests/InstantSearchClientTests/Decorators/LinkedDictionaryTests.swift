import InstantSearchClient
import AsyncInstantSearchTesting
import TestSupport
import Testing

@Suite struct LinkedDictionaryTests {
  /// Random operations compared with a plain array.
  @Test(arguments: Seed.all(100))
  func dictionaryMatchesAnArray(seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    var entries = LinkedDictionary<Int, Int>()
    var model: [(key: Int, value: Int)] = []
    for step in 0..<400 {
      let key = Int.random(in: 0..<12, using: &generator)
      let place = model.firstIndex { $0.key == key }
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        expectEqual(entries.append(key, step), place.map { model[$0].value })
        if let place { model.remove(at: place) }
        model.append((key, step))
      case 1:
        expectEqual(entries.remove(key), place.map { model.remove(at: $0).value })
      case 2:
        entries.moveToEnd(key)
        if let place { model.append(model.remove(at: place)) }
      case 3:
        entries[key] = step
        if let place { model[place].value = step } else { model.append((key, step)) }
      case 4:
        let changed: Int? = entries.change(key) { value in
          value += 1
          return value
        }
        expectEqual(changed, place.map { model[$0].value + 1 })
        if let place { model[place].value += 1 }
      default:
        entries[key] = nil
        if let place { model.remove(at: place) }
      }
      #expect(entries.values == model.map(\.value) && entries.firstKey == model.first?.key)
      #expect(
        entries.count == model.count && entries.isEmpty == model.isEmpty, "seed \(seed.value)")
    }
  }
}
