import CSKAN
import SKANCore
import SKANEngine
import SKANFace

// skan_update_revenue_many. skan.h describes it.

@_cdecl("skan_update_revenue_many")
@implementation
public func skan_update_revenue_many(
    _ engine: OpaquePointer?, _ items: UnsafePointer<skan_revenue>?, _ count: Int,
    _ statuses: UnsafeMutablePointer<skan_status>?, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let call: ManyCall
        do throws(Failure) {
            call = try ManyCall(engine, items, count, statuses)
        } catch {
            if let statuses, count > 0 { statuses.update(repeating: error.status.rawValue, count: count) }
            throw error
        }
        defer { call.batch.destroy() }
        switch call.engine.pointee.store {
        case .memory(let memory): call.batch.perform(on: memory)
        case .hooks(let store): HookStore(call.engine, store).perform(call.batch)
        }
        for index in 0..<call.batch.count { statuses?[index] = call.batch.status(index).rawValue }
        if let failure = firstFailure(call.batch) { throw failure }
        return .ok
    }
}

/// A call whose arguments are checked, except those of single items: the batch refuses wrong items one by one.
private struct ManyCall {
    let engine: Engine
    let batch: RevenueBatch

    init(
        _ engine: OpaquePointer?, _ items: UnsafePointer<skan_revenue>?, _ count: Int,
        _ statuses: UnsafeMutablePointer<skan_status>?
    ) throws(Failure) {
        guard let engine = Engine(engine) else { throw null("engine") }
        // A count above Int.max arrives as a negative number.
        guard count >= 0, count <= Limits.revenueItems else {
            throw Failure(
                .limitExceeded, "count: expected at most \(Limits.revenueItems), got \(UInt(bitPattern: count))")
        }
        guard count == 0 || statuses != nil else { throw null("statuses") }
        let protocolVersion = engine.pointee.settings.protocolVersion
        let items = try RevenueItems(items, count)
        let hasWork = items.hasLegalItem(protocolVersion)
        if hasWork || count == 0 { try engine.checkNotInHook() }
        self.engine = engine
        batch = items.batch(
            protocolVersion, now: hasWork ? seconds(try engine.now()) : 0, engine.pointee.settings.reengagements)
    }
}

/// The caller's items. The first item states the size of every item.
private struct RevenueItems {
    private let start: UnsafeRawPointer?
    private let stride: Int
    private let count: Int

    init(_ start: UnsafePointer<skan_revenue>?, _ count: Int) throws(Failure) {
        self.start = UnsafeRawPointer(start)
        self.count = count
        guard count > 0 else {
            stride = 0
            return
        }
        guard let start else { throw null("items") }
        stride = start.pointee.size
        for index in 0..<count {
            do throws(Failure) {
                // The first item's size is checked before it is used to find the next item, and each later size before
                // it is used.
                let item = UnsafeRawPointer(start) + index &* stride
                let size = item.load(as: Int.self)
                guard size == stride else {
                    let found = UInt(bitPattern: size)
                    throw Failure(.invalidArgument, "size: expected \(stride) as in the first item, got \(found)")
                }
                try SizedStruct("size", skan_revenue()).checkSize(at: item)
                try checkStride("size", stride)
            } catch {
                throw numbered(error, index)
            }
        }
    }

    /// Whether at least one item is correct. If none is, neither the store nor the clock is called.
    func hasLegalItem(_ protocolVersion: ProtocolVersion) -> Bool {
        for index in 0..<count {
            do throws(Failure) {
                _ = try arguments(index, protocolVersion)
                return true
            } catch {}
        }
        return false
    }

    func batch(
        _ protocolVersion: ProtocolVersion, now: Int64, _ settings: ReengagementSettings
    ) -> RevenueBatch {
        var batch = RevenueBatch(protocolVersion, count: count)
        for index in 0..<count {
            do throws(Failure) {
                let (key, revenue) = try arguments(index, protocolVersion)
                batch.add(index, key, revenue.rule(now: now, settings))
            } catch {
                batch.refuse(index, error)
            }
        }
        return batch
    }

    @inline(never)
    private func arguments(
        _ index: Int, _ protocolVersion: ProtocolVersion
    ) throws(Failure) -> (key: UnsafeRawBufferPointer, revenue: RevenueCall) {
        guard let start else { throw null("items") }
        let item = (start + index &* stride).assumingMemoryBound(to: skan_revenue.self)
        let key = try checkedKey(item.pointee.install_id)
        let revenue = try RevenueCall(
            try item.pointee.amount.money(), item.pointee.currency, item.pointee.kind, item.pointee.event_id,
            reengagement: item.pointee.reengagement, protocolVersion)
        return (key, revenue)
    }
}

private func firstFailure(_ batch: RevenueBatch) -> Failure? {
    for index in 0..<batch.count {
        if let failure = batch.failure(index) { return numbered(failure, index) }
    }
    return nil
}

private func numbered(_ failure: Failure, _ index: Int) -> Failure {
    Failure(failure.status, "items[\(index)]: \(failure.message)")
}
