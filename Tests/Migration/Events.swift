// swift-format-ignore-file

// Raw hits and events, which the documents of the callback library name in their text.

import AsyncInstantSearch

func log(_ value: Any) {}

final class Logger {
  func logErrors(of searcher: HitsSearcher, in hitsInteractor: HitsInteractor<JSON>) {
    let members: [String: Any]? = hitsInteractor.rawHitAtIndex(0)
    log(members as Any)
    hitsInteractor.onError.subscribe(with: self) { _, error in log(error) }
    // expected-error@-1 {{'onError' has been renamed to 'errors'}}
    // expected-error@-2 {{'subscribe(with:callback:)' has been renamed to 'subscribe(_:)': its closure takes the value alone}}
    hitsInteractor.onResultsUpdated.subscribe(with: self) { _, results in log(results) }
    // expected-error@-1 {{'onResultsUpdated' has been renamed to 'states'}}
    // expected-error@-2 {{'subscribe(with:callback:)' has been renamed to 'subscribe(_:)': its closure takes the value alone}}
    searcher.onResults.subscribe(with: self) { _, results in log(results) }
    // expected-error@-1 {{'onResults' is unavailable: use 'responses' or, decoded as records, 'pages(of:)'}}
    // expected-error@-2 {{'subscribe(with:callback:)' has been renamed to 'subscribe(_:)': its closure takes the value alone}}
    searcher.onError.subscribe(with: self) { _, error in log(error) }
    // expected-error@-1 {{'onError' has been renamed to 'errors'}}
    // expected-error@-2 {{'subscribe(with:callback:)' has been renamed to 'subscribe(_:)': its closure takes the value alone}}
  }
}
