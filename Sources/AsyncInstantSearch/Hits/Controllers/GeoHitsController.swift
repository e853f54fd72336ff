/// A map of hits, or what stands before one: a view of records that know where they are.
///
/// It reads its source again when rows have changed, and never goes to the first row: a map
/// has none.
///
/// ```swift
/// final class ShopMap: GeoHitsController {
///   weak var hitsSource: HitsInteractor<Hit<Shop>>?
///
///   func reload() {
///     show(hitsSource?.locatedHits ?? [], within: hitsSource?.boundingBox)
///   }
/// }
/// ```
///
/// A map shows the hits that are loaded: those of the first page, and of others as `loadNext()`
/// loads them. Ask for as many as it is to show with `hitsPerPage`, at most 1000, or give the
/// interactor a `pageCleanUpOffset` of `nil`, so that no page is dropped.
@MainActor
public protocol GeoHitsController: HitsController where DataSource.Record: Geolocated {}
