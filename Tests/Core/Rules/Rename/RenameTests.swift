import SKANCore
import Testing

/// Rules, "Rename": every order in which hosts can make their steps, and every place where one of them can be killed.
/// The lives of renames_told have one host, and Tests/Trouble/Stores/renames.c meets the orders that come by chance:
/// these tests alone meet all.
struct RenameTests {
    private typealias Model = RenameModel
    private let old = RenameModel.old
    private let new = RenameModel.new
    private let third = RenameModel.third

    /// What a judge sees of a state: not what its hosts are about to do.
    private struct Seen: Hashable {
        let store: [RenameModel.Record?]
        let counted: UInt8
        let statuses: [Int32?]

        init(_ model: RenameModel) {
            store = model.store
            counted = model.counted
            statuses = model.hosts.map { $0.status?.rawValue }
        }
    }

    /// Calls `judge` once with each state that the hosts can bring about, as far as it sees them. Returns how many states
    /// there are.
    private func explore(_ start: RenameModel, _ judge: (RenameModel) -> Void) -> Int {
        var known: Set<RenameModel> = [start]
        var judged: Set<Seen> = []
        var left = [start]
        while let model = left.popLast() {
            if judged.insert(Seen(model)).inserted { judge(model) }
            for index in model.hosts.indices where model.hosts[index].status == nil {
                var next = model
                next.step(index)
                if known.insert(next).inserted { left.append(next) }
            }
        }
        return known.count
    }

    /// Lets a host look at each id, and returns what counts under them then.
    private func whatCounts(_ model: RenameModel) -> [UInt8] {
        var model = model
        for key in [old, new, third] { _ = model.alone(.count(key, bit: 0)) }
        return [old, new, third].map { key in
            guard let record = model.store[key], record.mark?.counts ?? true else { return 0 }
            return record.content.bits
        }
    }

    /// Wherever all hosts are killed: the install is under one id, unless it was forgotten, and each amount whose call
    /// answered OK is counted in one place.
    private func judge(_ model: RenameModel, mayBeErased: Bool = false) {
        let counting = whatCounts(model)
        for bit in [Model.Content.install, 2, 4, 8, 64, 128] {
            let places = counting.count { $0 & bit != 0 }
            expect(places <= 1, "bit \(bit) counts \(places) times: \(model)")
            let isDue = bit == Model.Content.install || model.counted & bit != 0
            if isDue, !mayBeErased { expect(places == 1, "bit \(bit) is lost: \(model)") }
        }
        judgeRetry(model)
        if model.hosts.allSatisfy({ $0.status != nil }) {
            expect(model.store.allSatisfy { $0?.mark == nil }, "nobody is left, but a mark is: \(model)")
        }
    }

    /// Whoever calls again after a kill ends the rename.
    private func judgeRetry(_ model: RenameModel) {
        var model = model
        let status = model.alone(.rename(old, new))
        let counting = whatCounts(model)
        if status == .ok || status == .notFound {
            expect(counting[old] == 0, "renamed, and still there: \(model)")
        } else {
            expect(status == .alreadyRegistered && counting[old] != 0, "the call again ended in \(status as Any)")
        }
    }

    @Test func twoHostsRenameWhileOneCountsUnderEachId() {
        let states = explore(
            Model([.rename(old, new), .rename(old, new), .count(old, bit: 2), .count(new, bit: 4)])
        ) { judge($0) }
        #expect(states > 1000)
    }

    @Test func anInstallGetsTwoIdsAtOnce() {
        _ = explore(Model([.rename(old, new), .rename(old, third), .count(old, bit: 2)])) { judge($0) }
        _ = explore(Model([.rename(old, new), .rename(old, third)])) { model in
            expect(model.hosts.map(\.status) != [.ok, .ok], "both renames answered OK: \(model)")
        }
    }

    @Test func anInstallIsRenamedOnTheWay() {
        _ = explore(Model([.rename(old, new), .rename(new, third), .count(new, bit: 2)])) { judge($0) }
    }

    /// What is counted under the old id after the install has left is an install of its own, and may follow it.
    @Test func theOldIdIsUsedAgainAndRenamedAgain() {
        let start = Model([.rename(old, new), .rename(new, third), .count(old, bit: 2), .count(old, bit: 4)])
        _ = explore(start) { judge($0) }
    }

    @Test func twoInstallsGetOneId() {
        let start = Model([.rename(old, new), .rename(third, new), .count(new, bit: 2)], others: [third])
        _ = explore(start) { judge($0) }
    }

    @Test func twoInstallsChangeTheirIds() {
        let start = Model([.rename(old, third), .rename(new, old), .rename(third, new)], others: [new])
        _ = explore(start) { judge($0) }
    }

    @Test func anInstallIsRenamedThereAndBack() {
        _ = explore(Model([.rename(old, new), .rename(new, old)])) { judge($0) }
    }

    @Test func theNewIdIsTakenMeanwhile() {
        let start = Model([.rename(old, new), .count(new, bit: 2), .count(new, bit: 4)])
        _ = explore(start) { judge($0) }
    }

    /// Whoever is forgotten while a rename runs counts nowhere twice; when the rename was not begun before, or has
    /// ended, nothing is left.
    @Test func anInstallIsForgottenMeanwhile() {
        for forgotten in [old, new] {
            let start = Model([.rename(old, new), .forget(forgotten), .rename(old, new)])
            _ = explore(start) { judge($0, mayBeErased: $0.hosts[1].status != nil || forgotten == old) }
        }
    }

    @Test func whatIsForgottenByBothIdsIsGone() {
        _ = explore(Model([.rename(old, new), .count(old, bit: 2)])) { model in
            var model = model
            _ = (model.alone(.forget(old)), model.alone(.forget(new)))
            expect(model.store.allSatisfy { $0 == nil }, "something is left: \(model)")
        }
    }
}
