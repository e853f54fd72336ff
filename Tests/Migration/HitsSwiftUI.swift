// swift-format-ignore-file

// Example 8 of 19 of the callback library. Hits: a list for SwiftUI.

import InstantSearchViews
import SwiftUI

// The example.
struct HitItem: Codable {
  let name: String
}

struct ContentView: View {

  @ObservedObject var hitsController: HitsObservableController<HitItem>
  // expected-warning@-1 {{is deprecated: it is '@Observable'; use 'let' instead of '@ObservedObject'}}

  var body: some View {
    HitsList(hitsController) { (hit, _) in
      // declare the view representing a single hit
      VStack(alignment: .leading, spacing: 10) {
        Text(hit?.name ?? "")
        Divider()
      }
    } noResults: {
      Text("No Results")
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
  }
}
