package import CSKAN
package import SKANCompanionLibrary
package import SKANCore
package import SKANFace
package import SKANStorePool

/// Opens a store for C and fills `out` with the store's hooks. If the store cannot be opened, `out` has no hooks.
package func openingStore(
    _ out: UnsafeMutablePointer<skan_store>?, _ error: ErrorOut, _ open: () throws(Failure) -> RecordStore
) -> skan_status {
    opening(error) { () throws(Failure) in
        guard let out else { throw Failure(.invalidArgument, "out: expected a skan_store, got NULL") }
        out.initialize(to: skan_store())
        out.fill(try open())
    }
}
