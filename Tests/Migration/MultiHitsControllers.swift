// swift-format-ignore-file

// Example 16 of 19 of the callback library. Multi Hits: a controller for each index.

import InstantSearchViews
import UIKit

// What the example takes as given.
struct Actor: Codable { let name: String }
struct Movie: Codable { let title: String }
struct ActorCellConfigurator: TableViewCellConfigurable {
  let model: Actor
  init(model: Actor, indexPath: IndexPath) { self.model = model }
  func configure(_ cell: UITableViewCell) {}
}
struct MovieCellConfigurator: TableViewCellConfigurable {
  let model: Movie
  init(model: Movie, indexPath: IndexPath) { self.model = model }
  func configure(_ cell: UITableViewCell) {}
}

// The example.
let actorHitsInteractor: HitsInteractor<Actor> = .init(infiniteScrolling: .off)
let actorsTableViewController = HitsTableViewController<ActorCellConfigurator>()
actorHitsInteractor.connectController(actorsTableViewController)

let movieHitsInteractor: HitsInteractor<Movie> = .init(infiniteScrolling: .off)
let moviesTableViewController = HitsTableViewController<MovieCellConfigurator>()
movieHitsInteractor.connectController(moviesTableViewController)

let hitsInteractor: MultiIndexHitsInteractor = .init(hitsInteractors: [actorHitsInteractor, movieHitsInteractor])
