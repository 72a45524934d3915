import SKAN
import Testing

/// The body throws an error of libskan with this code.
func expect(throwing code: SKANError.Code, _ body: () async throws -> Void) async {
    do {
        try await body()
        Issue.record("nothing was thrown, expected \(code)")
    } catch {
        #expect((error as? SKANError)?.code == code, "\(error)")
    }
}
