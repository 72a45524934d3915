import SKANCompanionLibrary
import SKANCore
import SKANPostbackReceiving

/// The name of an ad network; empty for NULL.
@_optimize(size)
@inline(never)
func networkName(_ name: UnsafePointer<CChar>?, _ what: StaticString) throws(Failure) -> [UInt8] {
    guard let name = bytes(name, upTo: PostbackRecord.networkBytes) else { return [] }
    guard 1...PostbackRecord.networkBytes ~= name.count else {
        let got: StaticString = name.isEmpty ? "none" : "more"
        throw Failure(
            .invalidArgument, "\(what): expected 1 to \(PostbackRecord.networkBytes) bytes, got \(got)")
    }
    return name
}
