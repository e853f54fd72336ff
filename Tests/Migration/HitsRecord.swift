// swift-format-ignore-file

// Example 1 of 19 of the callback library. Hits: a record.

import AsyncInstantSearch

// The example.
struct CustomHitModel: Codable {
  let name: String
}
