#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Something a user did: clicked, bought or looked at records, or chose filters.
///
/// There is a function for each event that the service knows, so that an event has the members it
/// must have and no others:
///
/// | what happened | after a search | to records | to filters |
/// | --- | --- | --- | --- |
/// | clicked | ``clicked(_:named:in:)-(Hit<T>,_,_)`` | ``clicked(objectIDs:named:in:)`` | ``clicked(filters:named:in:)-([InsightsFilter],_,_)`` |
/// | converted | ``converted(_:named:in:)-(Hit<T>,_,_)`` | ``converted(objectIDs:named:in:)`` | ``converted(filters:named:in:)-([InsightsFilter],_,_)`` |
/// | put into the cart | ``addedToCart(_:value:currency:named:in:)`` | the same | |
/// | bought | ``purchased(_:value:currency:named:in:)`` | the same | |
/// | seen | | ``viewed(objectIDs:named:in:)`` | ``viewed(filters:named:in:)-([InsightsFilter],_,_)`` |
///
/// Making an event checks nothing but that a hit says where it was found. The rules of the service
/// are checked by ``InsightsClient/track(_:)``, which takes no event that breaks one.
///
/// User tokens appear neither in the description nor in the mirror of an event.
public struct InsightsEvent: Sendable, Hashable {
  /// What happened.
  enum Action: String, Sendable, Hashable {
    case click, conversion, addToCart, purchase, view
  }

  /// What it happened to. An event has records or filters, and positions only with a query.
  enum Subject: Sendable, Hashable {
    case objects([InsightsItem])
    case clickedHits(objectIDs: [String], positions: [Int], queryID: String)
    case filters([InsightsFilter])
  }

  let action: Action
  let subject: Subject
  /// The event's name, 1 to 64 visible ASCII characters: choose one for each thing users can do.
  public var name: String
  /// The index of the records.
  public var indexName: String
  /// Who did it; `nil`, the default, stands for the client's token.
  public var userToken: String?
  /// Who did it, when the user has signed in; `nil`, the default, stands for the client's token.
  public var authenticatedUserToken: String?
  /// When it happened, within the last 30 days; `nil`, the default, is when the event is tracked.
  public var timestamp: Date?

  /// What all records together cost, for a cart or a purchase.
  let value: InsightsAmount?
  /// The currency of all amounts, for a cart or a purchase; needed with an amount.
  let currency: String?

  init(
    _ action: Action, _ subject: Subject, named name: String, in indexName: String,
    value: InsightsAmount? = nil, currency: String? = nil
  ) {
    self.action = action
    self.subject = subject
    self.name = name
    self.indexName = indexName
    self.value = value
    self.currency = currency
  }

  /// A copy with one property set.
  ///
  /// ```swift
  /// let event = InsightsEvent.viewed(objectIDs: ["7"], named: "Film Opened", in: "films")
  ///   .setting(\.userToken, to: "visitor-42")
  /// ```
  public func setting<Value>(
    _ property: WritableKeyPath<InsightsEvent, Value>, to value: Value
  ) -> InsightsEvent {
    var copy = self
    copy[keyPath: property] = value
    return copy
  }
}

extension InsightsEvent: CustomStringConvertible, CustomReflectable {
  /// What happened, the name and the index.
  public var description: String { "\(action.rawValue) \(name.debugDescription) in \(indexName)" }

  /// What the description shows, and the subject.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "action": action.rawValue, "name": name, "indexName": indexName, "subject": subject,
        "timestamp": timestamp as Any,
      ],
      displayStyle: .struct)
  }
}
