// swift-format-ignore-file

// Example 9 of 19 of the callback library. Hits: a record that is read without metadata.

import AsyncInstantSearch

// The example.
struct Movie: Codable {
  let title: String
  let year: Int
}

/* An appropriate structure for representing a record in the following JSON format:

{
  "title": "Titanic",
  "year": 1997
}
*/
