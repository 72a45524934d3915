internal import SKAN
internal import SKANCore
internal import SKANStoreLaws
internal import Synchronization

final class KitOpener: StoreUnderTestOpener, Sendable {
    private let openStore: @Sendable () async throws -> any Store
    private let reopenStore: (@Sendable () async throws -> Void)?
    let thrown = ThrownErrors()

    init(
        open: @escaping @Sendable () async throws -> any Store, reopen: (@Sendable () async throws -> Void)?
    ) {
        openStore = open
        reopenStore = reopen
    }

    func open() throws(LawEnd) -> any StoreUnderTest {
        switch waiting(openStore) {
        case .success(let store): return KitHandle(store, thrown)
        case .failure(let error):
            thrown.note(error)
            throw .broken("open: answered \(Status.store.told)")
        }
    }

    func reopen() -> Status {
        guard let reopenStore else { return .ok }
        switch waiting(reopenStore) {
        case .success: return .ok
        case .failure(let error):
            thrown.note(error)
            return .store
        }
    }
}
