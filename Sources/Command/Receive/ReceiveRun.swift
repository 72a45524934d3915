import CSKANSystem
import SKANCommandOutput
import SKANCommandServer
import SKANCommandStores
import SKANCore
import SKANPostbackReceiving
import SKANSystem

/// A run that receives files. The main thread finds the postbacks in the files, other threads read and verify the
/// postbacks, and the main thread stores them.
final class ReceiveRun {
    private let store: OpenStore
    private let storing: ArrivalStoring
    private let threads: BatchThreads<ArrivalBatch>
    private let refused: RefusedBudget
    /// nil if the files have postbacks, not rows.
    private let map: ColumnMap?
    /// Whether the refused postbacks that were in the store before this run have been counted against the budget.
    private var knowsRefused = false
    private var batch = ArrivalBatch()
    /// The batches that are being read, in the order of the files.
    private var reading: [ArrivalBatch] = []
    private var free: [ArrivalBatch] = []
    private var counts = ReceiveCounts()
    private var reason = OneReason()
    /// The number of files and folders that were not read completely.
    private var failedFiles: UInt64 = 0
    /// Whether the run ends because the store saved nothing of a whole batch.
    private var isStoreFailing = false
    private let onlyApp = OnlyApp()
    private let configuration: ServerConfiguration
    /// Whether the run ends because of a postback that the given models must not decode.
    private var isRefused = false
    /// The total number of bytes of the files before the current one.
    private var bytes: UInt64 = 0

    /// The maximum number of messages of each kind: about texts that are not postbacks, about postbacks that could not
    /// be saved, and about files that could not be read.
    private static var mostNamed: UInt64 { 20 }
    /// The maximum number of reading threads; more would only wait for the store.
    private static var mostThreads: Int { 4 }

    init(_ store: OpenStore, _ reader: ArrivalReader, _ map: ColumnMap?) {
        self.store = store
        self.map = map
        storing = ArrivalStoring(store)
        let processors = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
        threads = BatchThreads(min(processors, ReceiveRun.mostThreads)) { $0.read(by: reader) }
        refused = reader.receiver.refused
        configuration = reader.configuration
    }

    func receive(_ paths: [CText]) -> ExitCode {
        beginProgress(paths)
        var files = FoundFiles { self.fail($0.message, $1) }
        files.walk(paths) { file in
            if goesOn { receive(file) }
            return goesOn
        }
        submit()
        while !reading.isEmpty { finishSome() }
        threads.stop()
        Progress.end()
        return end(links: files.links)
    }

    var hasCounted: Bool { counts.counted > 0 }

    private var goesOn: Bool { !isStoreFailing && !isRefused && !Ending.isEnding }

    private func beginProgress(_ paths: [CText]) {
        let isSeen = Progress.isSeen(printsData: false)
        var files = FoundFiles { _, _ in }
        if isSeen, !paths.contains(where: { $0.isStandardInput }) { files.walk(paths) { _ in true } }
        Progress.begin(isSeen, unit: .bytes, total: files.bytes)
    }

    /// Prints the results of the run. `links`: the number of links that were skipped.
    private func end(links: UInt64) -> ExitCode {
        tellUnnamed(failedFiles, "could not be read, and are not named one by one")
        tellUnnamed(counts.wrong, "are no postbacks, and are not named one by one")
        tellUnnamed(counts.failed, "could not be saved, and are not named one by one")
        let isWhole = goesOn && failedFiles == 0
        StandardOutput.line(counts.summary(isWhole: isWhole, links: links))
        let isFine = isWhole && counts.wrong == 0 && counts.failed == 0
        return reason.tell(store.name, again: false) == .fine && isFine ? .fine : .found
    }

    private func tellUnnamed(_ count: UInt64, _ what: Message) {
        if count > ReceiveRun.mostNamed { complain("\(count - ReceiveRun.mostNamed) more", what) }
    }

    // MARK: Files

    /// If reading fails, the run continues with the next file.
    private func receive(_ found: FoundFile) {
        let name = found.name
        let file: UnpackedFile
        do throws(Failure) { file = UnpackedFile(try found.open()) } catch { return fail(name, error.message) }
        let written: any ReceivedTexts = map.map { RowTexts.rows(in: file, $0) } ?? WrittenPostbacks(file)
        reading: while goesOn {
            switch written.next() {
            case .postback(let text): batch.add(text, of: name, line: written.firstLine)
            case .wrong(let why): batch.add(wrong: why, of: name, line: written.firstLine)
            case .over: break reading
            case .failed(let why):
                fail(name, why)
                break reading
            }
            if batch.isFull { submit() }
            Progress.step(bytes + written.position)
        }
        bytes += written.position
    }

    private func fail(_ name: Message, _ why: Message) {
        failedFiles += 1
        if failedFiles <= ReceiveRun.mostNamed && !Ending.isEnding { complain(name, why) }
    }

    // MARK: Batches

    /// Gives the batch to the reading threads. Batches are stored in groups of `ArrivalBatch.storedTogether`. Once the
    /// threads have two groups, this stores the older one while they read the newer one.
    private func submit() {
        threads.begin(batch)
        reading.append(batch)
        if reading.count >= 2 * ArrivalBatch.storedTogether { finishSome() }
        batch = free.popLast() ?? ArrivalBatch()
    }

    private func finishSome() {
        let first = [ArrivalBatch](reading.prefix(ArrivalBatch.storedTogether))
        reading.removeFirst(first.count)
        for each in first { threads.wait(for: each) }
        if !isStoreFailing && !isRefused { finish(first) }
        for each in first { each.removeAll() }
        free += first
    }

    private func finish(_ batches: [ArrivalBatch]) {
        let items = decodable(batches.flatMap { $0.items })
        let arrived = items.compactMap { item in
            if case .arrived(let postback) = item.read { postback } else { nil }
        }
        store.calm()
        if arrived.contains(where: { !$0.reception.isToBeCounted }) { countRefused() }
        storing.store(arrived)
        if arrived.contains(where: { $0.reception.record.outcome == .conflict }) { countRefused() }
        for item in items { settle(item) }
        isStoreFailing = !arrived.isEmpty && arrived.allSatisfy { $0.failure != nil }
        if isStoreFailing, let last = items.last {
            complain(store.name, "nothing after \(last.file):\(last.line) was received")
        }
    }

    /// Returns the items before the first postback that the given models must not decode. That postback ends the run.
    private func decodable(_ items: [ArrivalBatch.Item]) -> [ArrivalBatch.Item] {
        for (place, item) in items.enumerated() {
            guard case .arrived(let postback) = item.read else { continue }
            guard let problem = onlyApp.problem(with: postback.reception, configuration) else { continue }
            complain("\(item.file):\(item.line)", problem)
            isRefused = true
            return [ArrivalBatch.Item](items[..<place])
        }
        return items
    }

    /// Counts the refused postbacks that the store already has. Does so once, when this run refuses its first postback.
    private func countRefused() {
        if knowsRefused { return }
        knowsRefused = true
        do throws(CommandEnd) { try refused.count(keptIn: store) } catch {
            // Without this number, the budget limits only what this run adds.
            _ = error.say()
        }
    }

    private func settle(_ item: ArrivalBatch.Item) {
        switch item.read {
        case .arrived(let postback):
            guard let failure = postback.failure else {
                reason.count(postback)
                return counts.count(postback)
            }
            let why = failure.status == .store || failure.status == .storeUnknown ? store.words : failure.message
            settleFailed(item, why)
        case .failed(let why):
            settleFailed(item, why)
        case .wrong(let why):
            counts.countWrong()
            if counts.wrong <= ReceiveRun.mostNamed { complain("\(item.file):\(item.line)", why) }
        case nil: break
        }
    }

    private func settleFailed(_ item: ArrivalBatch.Item, _ why: Message) {
        counts.countFailed()
        if counts.failed > ReceiveRun.mostNamed { return }
        complain("\(item.file):\(item.line)", "could not be saved: \(why)")
    }
}
