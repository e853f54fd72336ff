import AsyncInstantSearch
import TestSupport
import Testing

/// The rules of the state machine, event by event.
@Suite struct SearchStateMachineTests {
  typealias Machine = SearchStateMachine<String, String>

  private func machine(debounce: Duration = .milliseconds(100)) -> Machine {
    Machine(request: "", debounce: debounce, stalledAfter: .milliseconds(300))
  }

  /// The actions of an event. A published status is named by what differs from the status before.
  private func names(
    _ machine: inout Machine, _ event: (inout Machine) -> [Machine.Action]
  ) -> [String] {
    let before = machine.status
    return event(&machine).flatMap { action -> [String] in
      switch action {
      case .publish(let status): names(status, after: before)
      case .schedule(let generation, let deadline): ["schedule \(generation) at \(deadline)"]
      case .start(let generation, let request): ["start \(generation) \(request)"]
      case .scheduleStallCheck(let generation, let deadline):
        ["watch \(generation) until \(deadline)"]
      case .cancelWork(let generation): ["cancel \(generation)"]
      case .resume(let generation, .success(let answer)): ["resume \(generation) \(answer)"]
      case .resume(let generation, .failure(let error)): ["resume \(generation) \(error.code)"]
      }
    }
  }

  private func names(_ status: Machine.Status, after before: Machine.Status) -> [String] {
    var names: [String] = []
    if status.requestRevision != before.requestRevision {
      names.append("request \(status.currentRequest)")
    }
    if status.responseGeneration != before.responseGeneration {
      names.append("answer \(status.response ?? "none")")
    }
    if let error = status.error { names.append("error \(error.code)") }
    if status.state != before.state {
      if case .failed = status.state {
        names.append("state failed")
      } else {
        names.append("state \(status.state)")
      }
    }
    return names.isEmpty ? ["publish"] : names
  }

  /// A change of anything but the text, here the first character, is a click.
  @Test func clickIsSearchedAtOnceWithTheTextThatWaits() {
    var machine = Machine(
      request: "-", debounce: .milliseconds(100), stalledAfter: .milliseconds(300),
      isTyped: { $0.dropFirst() != $1.dropFirst() })
    func set(_ request: String, isClick: Bool = false) -> [String] {
      names(&machine) { $0.requestSet(request, isClick: isClick, now: .zero) }
    }
    expectEqual(set("-a"), ["request -a", "schedule 1 at 0.1 seconds"])
    expectEqual(set("+a"), ["request +a", "cancel 1", "resume 1 superseded", "start 2 +a"])
    expectEqual(
      set("+ab"), ["request +ab", "cancel 2", "resume 2 superseded", "schedule 3 at 0.1 seconds"])
    expectEqual(
      set("+", isClick: true), ["request +", "cancel 3", "resume 3 superseded", "start 4 +"])
  }

  @Test func changeIsPublishedAndScheduledFromTheCall() {
    var machine = machine()
    expectEqual(
      names(&machine) { $0.requestSet("a", now: .milliseconds(20)) },
      ["request a", "schedule 1 at 0.12 seconds"])
    expectEqual(names(&machine) { $0.due(1) }, ["start 1 a"])
    expectEqual(
      names(&machine) { $0.begun(1, now: .milliseconds(130)) },
      ["state searching", "watch 1 until 0.43 seconds"])
    expectEqual(
      names(&machine) { $0.ended(1, .success("A")) },
      [
        "cancel 1", "answer A", "state idle", "resume 1 A",
      ])
  }

  @Test func newerChangeReplacesAScheduledOne() {
    var machine = machine()
    _ = machine.requestSet("a", now: .zero)
    expectEqual(
      names(&machine) { $0.requestSet("b", now: .milliseconds(50)) },
      ["request b", "cancel 1", "resume 1 superseded", "schedule 2 at 0.15 seconds"])
    expectEqual(names(&machine) { $0.due(1) }, [])
    expectEqual(names(&machine) { $0.due(2) }, ["start 2 b"])
  }

  @Test func equalValueKeepsTheScheduledDeadline() {
    var machine = machine()
    _ = machine.requestSet("a", now: .zero)
    expectEqual(names(&machine) { $0.requestSet("a", now: .milliseconds(90)) }, [])
    expectEqual(names(&machine) { $0.due(1) }, ["start 1 a"])
  }

  @Test func equalValueIsSearchedWithoutAResultOrPendingSearch() {
    var machine = machine()
    expectEqual(
      names(&machine) { $0.requestSet("", now: .zero) }, ["publish", "schedule 1 at 0.1 seconds"])
    _ = machine.due(1)
    _ = machine.begun(1, now: .zero)
    _ = machine.ended(1, .failure(SearchError(.server, "down")))
    expectEqual(
      names(&machine) { $0.requestSet("", now: .milliseconds(200)) },
      [
        "publish", "schedule 2 at 0.3 seconds",
      ])
    _ = machine.due(2)
    _ = machine.ended(2, .success("A"))
    expectEqual(names(&machine) { $0.requestSet("", now: .milliseconds(400)) }, [])
  }

  @Test func onlyTheNewestGenerationIsPublished() {
    var machine = machine(debounce: .zero)
    _ = machine.requestSet("a", now: .zero)
    _ = machine.requestSet("b", now: .zero)
    expectEqual(names(&machine) { $0.ended(1, .success("A")) }, [])
    expectEqual(names(&machine) { $0.ended(1, .failure(SearchError(.server, "down"))) }, [])
    expectEqual(names(&machine) { $0.stalled(1) }, [])
    expectEqual(
      names(&machine) { $0.ended(2, .success("B")) }, ["cancel 2", "answer B", "resume 2 B"])
    expectEqual(names(&machine) { $0.ended(2, .success("again")) }, [])
  }

  @Test func failureIsPublishedOnceAndTheRequestCanRunAgain() {
    var machine = machine(debounce: .zero)
    _ = machine.searchRequested()
    _ = machine.begun(1, now: .zero)
    expectEqual(
      names(&machine) { $0.ended(1, .failure(SearchError(.server, "down"))) },
      ["cancel 1", "error server", "state failed", "resume 1 server"])
    expectEqual(names(&machine) { $0.searchRequested() }, ["publish", "start 2 "])
    expectEqual(
      names(&machine) { $0.begun(2, now: .zero) },
      [
        "state searching", "watch 2 until 0.3 seconds",
      ])
  }

  @Test func cancelledSearchIsNotAFailure() {
    var machine = machine(debounce: .zero)
    _ = machine.searchRequested()
    _ = machine.begun(1, now: .zero)
    expectEqual(
      names(&machine) { $0.ended(1, .failure(SearchError(.cancelled, ""))) },
      [
        "cancel 1", "state idle", "resume 1 cancelled",
      ])
  }

  @Test func cancelledCallerEndsASearchWithoutOtherCallers() {
    var machine = machine()
    _ = machine.searchRequested()
    _ = machine.begun(1, now: .zero)
    expectEqual(
      names(&machine) { $0.callerCancelled(1) }, ["cancel 1", "resume 1 cancelled", "state idle"])
  }

  @Test func aCancelledCallerDoesNotEndTheSearchOfAChange() {
    var machine = machine()
    _ = machine.requestSet("a", now: .zero)
    _ = machine.searchRequested()
    _ = machine.begun(2, now: .zero)
    expectEqual(names(&machine) { $0.callerCancelled(2) }, ["resume 2 cancelled"])
    expectEqual(
      names(&machine) { $0.ended(2, .success("A")) },
      ["cancel 2", "answer A", "state idle", "resume 2 A"])
    // The change has its result now: the next search belongs to its caller only.
    _ = machine.searchRequested()
    expectEqual(
      names(&machine) { $0.callerCancelled(3) }, ["cancel 3", "resume 3 cancelled", "publish"])
  }

  @Test func cancelledCallerDoesNotEndASubmittedSearch() {
    var machine = machine()
    _ = machine.submitRequested()
    _ = machine.searchRequested()
    expectEqual(names(&machine) { $0.callerCancelled(2) }, ["resume 2 cancelled"])
  }

  @Test func changeAndSearchAreOneEvent() {
    var machine = machine()
    expectEqual(names(&machine) { $0.searchRequested("a") ?? [] }, ["request a", "start 1 a"])
    expectEqual(
      names(&machine) { $0.searchRequested("b") ?? [] },
      [
        "request b", "cancel 1", "resume 1 superseded", "start 2 b",
      ])
    // The streams wait for the response to a changed request, too.
    expectEqual(names(&machine) { $0.callerCancelled(2) }, ["resume 2 cancelled"])
    _ = machine.begun(2, now: .zero)
    _ = machine.ended(2, .success("B"))
    expectEqual(names(&machine) { $0.searchRequested("b") ?? [] }, ["publish", "start 3 b"])
    expectEqual(
      names(&machine) { $0.callerCancelled(3) }, ["cancel 3", "resume 3 cancelled", "publish"])
  }

  @Test func equalValueSetDuringAnAwaitedSearchSurvivesItsCaller() {
    var machine = machine()
    _ = machine.requestSet("a", now: .zero)
    _ = machine.due(1)
    _ = machine.ended(1, .failure(SearchError(.server, "down")))
    _ = machine.searchRequested()
    expectEqual(names(&machine) { $0.requestSet("a", now: .zero) }, [])
    expectEqual(names(&machine) { $0.callerCancelled(2) }, ["resume 2 cancelled"])
  }

  @Test func rejectedSearchEndsWithoutSearching() {
    var machine = machine(debounce: .zero)
    _ = machine.searchRequested()
    expectEqual(names(&machine) { $0.refused(1) }, ["cancel 1", "resume 1 cancelled", "publish"])
    expectEqual(names(&machine) { $0.begun(1, now: .zero) }, [])
  }

  @Test func rejectedRequestIsCheckedAgain() {
    var machine = machine(debounce: .zero)
    _ = machine.requestSet("a", now: .zero)
    _ = machine.refused(1)
    expectEqual(names(&machine) { $0.requestSet("a", now: .zero) }, ["publish", "start 2 a"])
  }

  @Test func newerSearchEndsThePreviousCaller() {
    var machine = machine()
    _ = machine.searchRequested()
    expectEqual(
      names(&machine) { $0.searchRequested() },
      [
        "publish", "cancel 1", "resume 1 superseded", "start 2 ",
      ])
  }

  @Test func failureOfAnOlderResultIsNotPublished() {
    var machine = machine(debounce: .zero)
    _ = machine.requestSet("a", now: .zero)
    _ = machine.ended(1, .success("A"))
    let failure = SearchError(.decoding, "a hit")
    expectEqual(names(&machine) { $0.decodingFailed(1, failure) }, ["error decoding"])
    _ = machine.requestSet("b", now: .zero)
    expectEqual(names(&machine) { $0.decodingFailed(1, failure) }, [])
  }

  @Test func stalledFollowsSearching() {
    var machine = machine(debounce: .zero)
    _ = machine.searchRequested()
    _ = machine.begun(1, now: .zero)
    expectEqual(names(&machine) { $0.stalled(1) }, ["state stalled"])
    expectEqual(names(&machine) { $0.stalled(1) }, [])
  }

  @Test func adjustmentSearchesOnlyIfASearchIsPending() {
    var machine = machine()
    expectEqual(names(&machine) { $0.requestAdjusted("a", now: .zero) }, ["request a"])
    expectEqual(names(&machine) { $0.requestAdjusted("a", now: .zero) }, [])
    // There is no result for the adjusted request, so setting it searches.
    expectEqual(
      names(&machine) { $0.requestSet("a", now: .zero) },
      [
        "publish", "schedule 1 at 0.1 seconds",
      ])
    expectEqual(
      names(&machine) { $0.requestAdjusted("b", now: .milliseconds(50)) },
      ["request b", "cancel 1", "resume 1 superseded", "schedule 2 at 0.15 seconds"])
  }

  @Test func deferredRequestIsSearchedByTheMultiSearcher() {
    var machine = machine(debounce: .zero)
    _ = machine.requestSet("a", now: .zero)
    expectEqual(
      names(&machine) { $0.requestDeferred("b") },
      [
        "request b", "cancel 1", "resume 1 superseded",
      ])
    expectEqual(names(&machine) { $0.requestDeferred("b") }, [])
    expectEqual(
      names(&machine) { $0.joined(now: .zero) }, ["state searching", "watch 2 until 0.3 seconds"])
    expectEqual(names(&machine) { $0.ended(1, .success("A")) }, [])
    expectEqual(
      names(&machine) { $0.ended(2, .success("B")) },
      ["cancel 2", "answer B", "state idle", "resume 2 B"])
  }

  @Test func eventsAfterTheEndDoNothing() {
    var machine = machine(debounce: .zero)
    _ = machine.searchRequested()
    expectEqual(names(&machine) { $0.closed() }, ["cancel 1", "resume 1 cancelled", "publish"])
    expectEqual(names(&machine) { $0.requestSet("a", now: .zero) }, [])
    #expect(machine.searchRequested("b").map(\.count) == nil)
    expectEqual(names(&machine) { $0.submitRequested() }, [])
    expectEqual(names(&machine) { $0.ended(1, .success("A")) }, [])
    expectEqual(names(&machine) { $0.cancelRequested() }, [])
    expectEqual(names(&machine) { $0.joined(now: .zero) }, [])
    expectEqual(names(&machine) { $0.requestDeferred("b") }, [])
    expectEqual(names(&machine) { $0.requestAdjusted("b", now: .zero) }, [])
  }

  @Test func deferredSearchIsPendingUntilJoinedOrAbandoned() {
    var machine = machine()
    expectEqual(names(&machine) { $0.requestDeferred("a") }, ["request a"])
    #expect(machine.isPending)
    expectEqual(names(&machine) { $0.requestAdjusted("b", now: .zero) }, ["request b"])
    #expect(machine.isPending)
    expectEqual(
      names(&machine) { $0.joined(now: .zero) }, ["state searching", "watch 1 until 0.3 seconds"])
    expectEqual(names(&machine) { $0.deferralEnded() }, [])
    #expect(machine.isPending)
    _ = machine.ended(1, .success("B"))
    _ = machine.requestDeferred("c")
    expectEqual(names(&machine) { $0.deferralEnded() }, ["publish"])
    #expect(!machine.isPending)
    // An abandoned search has no result: the same request set again is searched.
    expectEqual(
      names(&machine) { $0.requestSet("c", now: .zero) },
      [
        "publish", "schedule 2 at 0.1 seconds",
      ])
    _ = machine.requestDeferred("d")
    expectEqual(names(&machine) { $0.cancelRequested() }, ["publish"])
    #expect(!machine.isPending)
  }

  @Test func abandonedDeferralKeepsItsRequest() {
    var machine = machine()
    _ = machine.requestDeferred("a")
    _ = machine.deferralEnded()
    expectEqual(machine.status.request, "a")
  }

  @Test func responseFromBeforeAJoinedSearchIsNotRestored() {
    var machine = machine()
    _ = machine.requestSet("a", now: .zero)
    _ = machine.due(1)
    _ = machine.ended(1, .success("A"))
    _ = machine.requestDeferred("b")
    _ = machine.joined(now: .zero)
    _ = machine.requestSet("c", now: .zero)
    expectEqual(
      names(&machine) { $0.requestSet("a", now: .zero) },
      [
        "request a", "cancel 3", "resume 3 superseded", "schedule 4 at 0.1 seconds",
      ])
  }

  @Test func failureIsKeptUntilTheNextSearch() {
    var machine = machine(debounce: .zero)
    _ = machine.requestSet("a", now: .zero)
    _ = machine.begun(1, now: .zero)
    #expect(machine.failure == nil)
    _ = machine.ended(1, .failure(SearchError(.unreachable, "no network")))
    expectEqual(machine.failure?.code, .unreachable)
    _ = machine.requestSet("a", now: .zero)
    #expect(machine.failure == nil)
  }

  @Test func abandonedDeferralEndsThePreviousSearch() {
    var machine = machine(debounce: .zero)
    _ = machine.requestSet("a", now: .zero)
    _ = machine.begun(1, now: .zero)
    _ = machine.requestDeferred("b")
    expectEqual(machine.state, .searching)
    expectEqual(names(&machine) { $0.deferralEnded() }, ["state idle"])
  }

  @Test func cancelledSearchHasNoFailures() {
    var machine = machine(debounce: .zero)
    _ = machine.searchRequested()
    _ = machine.begun(1, now: .zero)
    expectEqual(
      names(&machine) { $0.decodingFailed(1, SearchError(.decoding, "part")) }, ["error decoding"])
    _ = machine.cancelRequested()
    expectEqual(names(&machine) { $0.decodingFailed(1, SearchError(.decoding, "part")) }, [])
    _ = machine.searchRequested()
    _ = machine.begun(2, now: .zero)
    _ = machine.ended(2, .success("A"))
    expectEqual(
      names(&machine) { $0.decodingFailed(2, SearchError(.decoding, "part")) }, ["error decoding"])
    _ = machine.requestAdjusted("b", now: .zero)
    expectEqual(
      names(&machine) { $0.decodingFailed(2, SearchError(.decoding, "part")) }, ["error decoding"])
  }
}

extension SearchStateMachine {
  /// A caller wants a search of the current request.
  fileprivate mutating func searchRequested() -> [Action] { searchRequested(request) ?? [] }
}
