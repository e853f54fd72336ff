/// What all calls of an engine share: its configuration, its indices, and the IDs that it assigns.
final class EngineState: Sendable {
  let configuration: EngineConfiguration
  /// The indices.
  let indexStore = IndexStore()
  /// Generates the IDs of records without one.
  let objectIDGenerator: ObjectIDGenerator

  init(_ configuration: EngineConfiguration) {
    self.configuration = configuration
    objectIDGenerator = ObjectIDGenerator(custom: configuration.makeObjectID)
  }
}
