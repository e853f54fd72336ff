// Screens in user code; type-checked by .ci/views, not run.

import InstantSearchViews
import SwiftUI

// snippet.content
struct HitItem: Codable {
  let name: String
}

struct ContentView: View {
  let hitsController: HitsObservableController<HitItem>

  var body: some View {
    HitsList(hitsController) { (hit, _) in
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
// snippet.end

/// Without a view for no results; rows made by a method, with highlights.
struct HighlightedContentView: View {
  @State private var hitsController = HitsObservableController<Hit<HitItem>>()

  var body: some View {
    HitsList(hitsController, row: row)
      .onAppear { hitsController.scrollToTop() }
  }

  @ViewBuilder
  private func row(_ hit: Hit<HitItem>?, _ number: Int) -> some View {
    if let name = hit?.highlighted("name") {
      Text(AttributedString(name, marking: AttributeContainer().font(.headline)))
    } else {
      Text("\(number)")
    }
  }
}

/// A custom list over the same controller.
struct OwnList: View {
  let hitsController: HitsObservableController<HitItem>

  var body: some View {
    let hits = hitsController.hits
    let generation = hitsController.hitsSource?.state.generation
    ScrollView {
      LazyVStack {
        ForEach(hits.indices, id: \.self) { index in
          Text(hits[index]?.name ?? "")
            .onAppear { hitsController.notifyAppearanceOfHit(atIndex: index) }
            .onChange(of: generation) { hitsController.notifyAppearanceOfHit(atIndex: index) }
        }
      }
    }
    .id(hitsController.scrollID)
  }
}

/// What a screen holds.
@MainActor
final class SearchModel {
  let hitsController = HitsObservableController<HitItem>()
  let hitsConnector: HitsConnector<HitItem>

  init(client: SearchClient) {
    hitsConnector = HitsConnector(
      client: client, indexName: "items", controller: hitsController)
  }

  var content: some View { ContentView(hitsController: hitsController) }
}
