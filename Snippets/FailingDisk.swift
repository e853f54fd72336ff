// An engine in a file of a disk that fails as real disks do.
import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch

// snippet.open
let disk = SimulatedDisk()
let engine = try await LocalSearch(file: "films.search", configuration: .init(disk: disk))
let client = SearchClient(transport: engine)
try await client.save([["objectID": "1", "title": "Metropolis"] as JSON], in: "films")
// snippet.end

// snippet.fail
// The next call of the disk is that of a full disk, and those after it succeed again.
disk.fail(call: disk.callCount + 1, with: .full)
do {
  try await client.save([["objectID": "2", "title": "Nosferatu"] as JSON], in: "films")
} catch {
  print(error.code, error.underlying ?? "", engine.recordCount(of: "films") ?? 0)
}
try await client.save([["objectID": "2", "title": "Nosferatu"] as JSON], in: "films")
// snippet.end

// snippet.power
// What is there after a power failure now. Another seed loses other parts of what is not sure.
let after = disk.afterPowerFailure(seed: 7)
let reopened = try await LocalSearch(file: "films.search", configuration: .init(disk: after))
print(reopened.recordCount(of: "films") ?? 0, "films,", after.paths.count, "files")
// snippet.end
await reopened.close()
await engine.close()
