import AsyncInstantSearch
import Testing

/// What a searcher is filtered by when states change and connections are replaced at the same time.
struct FilterFollowingTests {
  /// A state with one filter.
  private static func state(_ value: String) -> FilterState {
    var groups = FilterGroups()
    groups[and: "a"].add("a" == value)
    return FilterState(groups)
  }

  private let first = state("first")
  private let second = state("second")

  @Test func aConnectionThatIsReplacedMeanwhileTakesOverTheFiltersOfTheOther() {
    let following = FilterFollowing()
    var groups = FilterGroups()
    let connection = following.follow(first) { _ in
    } adopt: { take in
      _ = following.follow(second) { _ in
      } adopt: { take in
        take(&groups)
      }
      take(&groups)
    }
    #expect(!connection.isConnected)
    #expect(following.connection(to: second)?.isConnected == true)
    #expect(groups == second.groups)
  }

  @Test func aChangeThatIsToldLateDoesNotBringBackTheFiltersOfTheStateBefore() async {
    let following = FilterFollowing()
    await confirmation(expectedCount: 1) { told in
      _ = following.follow(first) { [second] take in
        told()
        _ = following.follow(second) { _ in
        } adopt: { _ in
        }
        #expect(following.connection(to: second) != nil)
        var groups = FilterGroups()
        take(&groups)
        #expect(groups == second.groups)
      } adopt: { _ in
      }
      first.update { $0[and: "a"].add("a" == "another") }
      // It is not told any more.
      first.update { $0[and: "a"].add("a" == "third") }
    }
  }

  @Test func aConnectionThatIsUndoneMeanwhileLeavesTheFiltersAsTheyAre() async {
    let following = FilterFollowing()
    let connection = Lock<Connection?>(nil)
    await confirmation(expectedCount: 1) { told in
      let made = following.follow(first) { [before = second.groups] take in
        told()
        connection.withLock { $0 }?.disconnect()
        var groups = before
        take(&groups)
        #expect(groups == before)
      } adopt: { _ in
      }
      connection.withLock { $0 = made }
      first.update { $0.removeAll() }
      first.update { $0[and: "a"].add("a" == "again") }
    }
  }

  /// Both are told of one change; the one that is told first makes the other follow another state.
  @Test func aStateThatIsNotFollowedAnyMoreIsNotTold() async {
    let followings = [FilterFollowing(), FilterFollowing()]
    await confirmation(expectedCount: 1) { told in
      for (following, other) in zip(followings, followings.reversed()) {
        _ = following.follow(first) { [second, weak other] _ in
          told()
          _ = other?.follow(second) { _ in
          } adopt: { _ in
          }
        } adopt: { _ in
        }
      }
      first.update { $0.removeAll() }
    }
  }

  @Test(arguments: [true, false])
  func whatIsToldIsReleasedWhenTheConnectionEnds(isUndone: Bool) {
    final class Witness: Sendable {}
    var witness: Witness? = Witness()
    weak let released = witness
    let following = FilterFollowing()
    let connection = following.follow(first) { [witness] _ in
      withExtendedLifetime(witness) {}
    } adopt: { _ in
    }
    witness = nil
    #expect(released != nil)
    if isUndone { connection.disconnect() } else { following.end() }
    #expect(released == nil)
    #expect(!connection.isConnected)
  }

  @Test func aStateConnectedTwiceAtOnceHasOneConnection() async {
    for _ in 0..<500 {
      let following = FilterFollowing()
      async let one = following.follow(first) { _ in
      } adopt: { _ in
      }
      async let other = following.follow(first) { _ in
      } adopt: { _ in
      }
      let connections = await (one, other)
      #expect(connections.0 === connections.1)
      #expect(connections.0.isConnected)
    }
  }
}
