import CSKAN
import SKANCore
import SKANStoreLaws

/// Opens the store under test with C functions.
final class ForeignStoreOpener: StoreUnderTestOpener {
    typealias Open = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<skan_store>?) -> skan_status
    typealias Reopen = @convention(c) (UnsafeMutableRawPointer?) -> skan_status

    private let context: UnsafeMutableRawPointer?
    private let openStore: Open
    private let reopenStore: Reopen?
    private let buffers = ForeignBuffers()

    init(_ context: UnsafeMutableRawPointer?, open: Open, reopen: Reopen?) {
        self.context = context
        openStore = open
        reopenStore = reopen
    }

    func open() throws(LawEnd) -> any StoreUnderTest {
        var hooks = skan_store()
        let status = Status(rawValue: openStore(context, &hooks))
        guard status == .ok else { throw .broken("open: answered \(status.told)") }
        let store = ForeignStore(hooks, buffers)
        if let flaw = store.flaw {
            store.close()
            throw .broken("open: \(flaw)")
        }
        return store
    }

    func reopen() -> Status { reopenStore.map { Status(rawValue: $0(context)) } ?? .ok }
}
