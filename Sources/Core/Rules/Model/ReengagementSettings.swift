/// An engine's settings for re-engagements.
package final class ReengagementSettings: Sendable {
    /// The models; the first is for new re-engagements.
    package let models: [ConversionModel]
    /// Rules, "Credit": whether only the newest re-engagement is credited if a call names no re-engagement.
    package let creditsNewest: Bool
    package let cooldownSeconds: Int64

    /// Throws INVALID_ARGUMENT for a cool-down that Apple does not allow.
    @_optimize(size)
    package convenience init(
        models: [ConversionModel], creditsNewest: Bool, cooldownHours: UInt32
    ) throws(Failure) {
        guard cooldownHours <= Limits.cooldownHours else {
            throw Failure(
                .invalidArgument,
                "reengagement_cooldown_hours: expected at most \(Limits.cooldownHours), got \(cooldownHours)")
        }
        self.init(models, creditsNewest: creditsNewest, cooldownSeconds: Int64(cooldownHours) &* 3600)
    }

    private init(_ models: [ConversionModel], creditsNewest: Bool, cooldownSeconds: Int64) {
        self.models = models
        self.creditsNewest = creditsNewest
        self.cooldownSeconds = cooldownSeconds
    }

    /// The settings of an engine without models for re-engagements. A `ReengagementMoment` has them until it is set.
    static let none = ReengagementSettings([], creditsNewest: false, cooldownSeconds: 0)

    /// Rules, "Model versions": the model of a re-engagement; nil if the engine does not have that version.
    @_optimize(size)
    package func model(of each: Reengagement) -> ConversionModel? {
        guard let progress = each.conversion.model else { return nil }
        for model in models where progress.isOf(model.version) && progress.countNumber <= model.events.count &+ 1 {
            return model
        }
        return nil
    }
}
