import SKAN
import Testing

/// The error that a call throws; an issue where it throws none, or one that is not libskan's.
func failure(
    _ sourceLocation: SourceLocation = #_sourceLocation, of call: () async throws -> Void
) async -> SKANError? {
    do {
        try await call()
        Issue.record("expected an error", sourceLocation: sourceLocation)
    } catch let error as SKANError {
        return error
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    return nil
}

/// The call throws an error of libskan with this code.
func expect(throwing code: SKANError.Code, _ call: () async throws -> Void) async {
    #expect(await failure(of: call)?.code == code)
}
