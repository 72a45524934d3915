import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANPostbackReceiving
import SKANPostbackVerification

struct ReceiverOptions {
    let given: skan_postback_receiver_options
    let hooks: ReceiverHooks

    /// Reads the options and the structs that they point to. Throws if the size of a struct is illegal; the caller then
    /// still owns the hooks.
    init(_ options: UnsafePointer<skan_postback_receiver_options>?) throws(Failure) {
        given = try SizedStruct("options", skan_postback_receiver_options()).read(options)
        // load_many, save_many, list, list_with_prefix and keeps_stack are optional.
        let store = SizedStruct("store", skan_store(), optional: 5 * wordBytes)
        hooks = ReceiverHooks(
            store: try store.read(given.store), clock: try SizedStruct("clock", skan_clock()).read(given.clock))
    }

    func receiver() throws(Failure) -> PostbackReceiver<NativeModel> {
        try check()
        let installs = try models(given.models, given.model_count, "model")
        let reengagements = try models(given.reengagement_models, given.reengagement_model_count, "reengagement_model")
        let bytes = given.refused_bytes_in_all
        return PostbackReceiver(
            keys: try keySet(given.keys), scope: PostbackScope(apps: try apps(), adNetworks: try adNetworks()),
            installs: installs, reengagements: reengagements,
            refusedBytes: bytes == 0 ? RefusedBudget.bytesByDefault : bytes)
    }

    private func check() throws(Failure) {
        guard given.store != nil else { throw null("store") }
        guard hooks.store.load != nil, hooks.store.save != nil, hooks.store.remove != nil else {
            throw Failure(.invalidArgument, "store: load, save or remove is NULL")
        }
        guard given.clock == nil || hooks.clock.now != nil else {
            throw Failure(.invalidArgument, "clock: now is NULL")
        }
    }

    @_optimize(size)
    private func apps() throws(Failure) -> [Int64] {
        let count = try checked(given.app_id_count, given.app_ids != nil, "app_id", atMost: PostbackScope.most)
        let ids = UnsafeBufferPointer(start: given.app_ids, count: count)
        for id in ids where id <= 0 { throw Failure(.invalidArgument, "app_ids: expected numbers above 0") }
        return [Int64](ids)
    }

    @_optimize(size)
    private func adNetworks() throws(Failure) -> [UInt8] {
        let count = try checked(
            given.ad_network_count, given.ad_networks != nil, "ad_network", atMost: PostbackScope.most)
        var adNetworks: [UInt8] = []
        for name in UnsafeBufferPointer(start: given.ad_networks, count: count) {
            guard name != nil else { throw null("ad_networks") }
            adNetworks += try networkName(name, "ad_networks") + [0]
        }
        return adNetworks
    }

    @_optimize(size)
    private func models(
        _ given: UnsafePointer<skan_postback_model>?, _ count: Int, _ name: StaticString
    ) throws(Failure) -> PostbackModels<NativeModel> {
        var models: [(from: Int64, model: NativeModel)] = []
        let count = try checked(count, given != nil, name, atMost: Limits.models)
        for (place, each) in UnsafeBufferPointer(start: given, count: count).enumerated() {
            guard let model = NativeModel(each.model) else {
                throw Failure(.invalidArgument, "\(name)s[\(place)].model: expected a pointer, got NULL")
            }
            if let last = models.last, each.from <= last.from {
                throw Failure(
                    .invalidArgument, "\(name)s[\(place)].from: expected a later moment than in the item before")
            }
            models.append((from: each.from, model: model))
        }
        return PostbackModels(models)
    }

    /// Checks an array of the host, and returns `count`, the number of its elements. `isThere`: whether the array's
    /// pointer is not NULL. `name`: the singular of the array's name, for messages: "ad_network" stands for ad_networks
    /// and ad_network_count.
    @_optimize(size)
    @inline(never)
    private func checked(
        _ count: Int, _ isThere: Bool, _ name: StaticString, atMost most: Int
    ) throws(Failure) -> Int {
        guard count != 0 else { return 0 }
        // A count above Int.max arrives as a negative number.
        guard 1...most ~= count else {
            throw Failure(
                .invalidArgument, "\(name)_count: expected at most \(most), got \(UInt(bitPattern: count))")
        }
        guard isThere else { throw Failure(.invalidArgument, "\(name)s: expected a pointer, got NULL") }
        return count
    }
}

struct ReceiverHooks {
    let store: skan_store
    let clock: skan_clock

    func finalize() {
        store.finalize?(store.context)
        clock.finalize?(clock.context)
    }
}

/// Returns an empty name for NULL. Throws if the name is empty or too long.
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
