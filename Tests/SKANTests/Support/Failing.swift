import SKAN
import Testing

/// The error that a call throws; an issue where it throws none.
func failure(
    _ sourceLocation: SourceLocation = #_sourceLocation, of call: () async throws(SKANError) -> Void
) async -> SKANError? {
    do throws(SKANError) {
        try await call()
        Issue.record("expected an error", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}
