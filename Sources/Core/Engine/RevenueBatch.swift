import CSKANSupport
import SKANCore

/// Rules, "Many amounts": the amounts of one call, grouped by install, and their results. A driver works through the
/// installs in parts.
///
/// Keys and event ids must stay valid as long as the batch is used. The owner must call `destroy`.
package struct RevenueBatch {
    package let count: Int
    package private(set) var installCount = 0
    let protocolVersion: ProtocolVersion
    private let items: UnsafeMutablePointer<RevenueItem>
    private let installs: UnsafeMutablePointer<Install>
    /// A hash table of the installs. A slot holds the install's number + 1, or 0 if it is free. At most half the slots
    /// are used.
    private let slots: UnsafeMutablePointer<UInt32>
    private let mask: Int
    private let seed = support_random()

    private struct Install {
        let key: UnsafeRawBufferPointer
        let first: Int
        var last: Int
    }

    /// The caller must then `add` or `refuse` each of the `count` items.
    package init(_ protocolVersion: ProtocolVersion, count: Int) {
        self.protocolVersion = protocolVersion
        self.count = min(max(count, 0), Limits.revenueItems)
        items = .allocate(capacity: self.count)
        items.initialize(repeating: RevenueItem(), count: self.count)
        installs = .allocate(capacity: self.count)
        var slotCount = 16
        while slotCount < 2 &* self.count { slotCount &*= 2 }
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        mask = slotCount &- 1
    }

    package func destroy() {
        items.deinitialize(count: count)
        items.deallocate()
        installs.deallocate()
        slots.deallocate()
    }

    package mutating func add(_ index: Int, _ key: UnsafeRawBufferPointer, _ rule: RevenueUpdate) {
        guard index >= 0, index < count else { return }
        items[index].rule = rule
        let slot = slot(key)
        guard slots[slot] == 0 else {
            let install = installs + Int(slots[slot] &- 1)
            items[install.pointee.last].next = index
            items[index].install = items[install.pointee.first].install
            install.pointee.last = index
            return
        }
        (installs + installCount).initialize(to: Install(key: key, first: index, last: index))
        items[index].install = installCount
        installCount &+= 1
        slots[slot] = UInt32(truncatingIfNeeded: installCount)
    }

    package mutating func refuse(_ index: Int, _ failure: Failure) {
        guard index >= 0, index < count else { return }
        items[index].fail(failure)
    }

    /// The slot of an install, or the free slot in which to insert the install.
    private func slot(_ key: UnsafeRawBufferPointer) -> Int {
        var slot = Int(truncatingIfNeeded: keyHash(key, seed)) & mask
        while slots[slot] != 0, !areEqual(installs[Int(slots[slot] &- 1)].key, key) { slot = (slot &+ 1) & mask }
        return slot
    }

    // MARK: Installs

    package func key(_ install: Int) -> UnsafeRawBufferPointer { installs[install].key }

    /// A rule that applies all items of an install in one change of the install's state.
    func rule(_ install: Int) -> InstallRevenue { InstallRevenue(items, first: installs[install].first) }

    package func perform(on memory: borrowing MemoryRecords) {
        for install in 0..<installCount {
            var rule = rule(install)
            var state = InstallState(protocolVersion)
            do throws(Failure) {
                _ = try memory.perform(&state, key(install), &rule)
            } catch {
                rule.fail(error)
            }
        }
    }

    /// -1 if the item was refused.
    package func install(of index: Int) -> Int { items[index].install }

    // MARK: Results

    package func status(_ index: Int) -> Status { items[index].status }

    /// Nil if the item did not fail.
    package func failure(_ index: Int) -> Failure? {
        items[index].message.map { Failure(items[index].status, $0) }
    }
}

private func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count, let first = left.baseAddress, let other = right.baseAddress else { return false }
    return support_equal(first, other, left.count)
}

/// One of many amounts, and its result.
private struct RevenueItem {
    var rule: RevenueUpdate?
    /// The index of the next item of the same install; -1 if there is none.
    var next = -1
    var install = -1
    var status = Status.ok
    var message: Message?
    /// Whether the item's status is valid only if the install is saved.
    var isAtStake = false

    mutating func end(_ status: Status, isAtStake: Bool) {
        self.status = status
        self.isAtStake = isAtStake
        message = nil
    }

    mutating func fail(_ failure: Failure) {
        status = failure.status
        message = failure.message
        isAtStake = false
    }
}

/// Applies all items of one install, in order. An item that fails leaves the state unchanged.
struct InstallRevenue: Rule {
    private let items: UnsafeMutablePointer<RevenueItem>
    private let first: Int
    private var hasRun = false

    fileprivate init(_ items: UnsafeMutablePointer<RevenueItem>, first: Int) {
        self.items = items
        self.first = first
    }

    @inline(never)
    mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        hasRun = true
        let before = items[first].next < 0 ? EventMemory() : state.events
        var isChanged = false
        var index = first
        while index >= 0 {
            guard var rule = items[index].rule else { break }
            do throws(Failure) {
                let verdict = try rule.run(on: &state)
                // If an item repeats an id that an earlier item of this batch added, it is a duplicate only if the
                // install is saved.
                var isNewDuplicate = isChanged && verdict.status == .duplicateEvent
                if isNewDuplicate, let id = rule.eventID { isNewDuplicate = !before.find(id).hasAmount }
                if verdict.isChanged { isChanged = true }
                items[index].end(verdict.status, isAtStake: verdict.isChanged || isNewDuplicate)
            } catch {
                items[index].fail(error)
            }
            index = items[index].next
        }
        return isChanged ? .changed() : .unchanged(.ok)
    }

    /// Reports that the install was not loaded or not saved. Items whose result does not depend on the save keep it;
    /// all others get the failure.
    func fail(_ failure: Failure) {
        var index = first
        while index >= 0 {
            if !hasRun || items[index].isAtStake { items[index].fail(failure) }
            index = items[index].next
        }
    }
}
