import CSKAN
import CSKANSystem
import SKANCore
import SKANStoreLaws
import SKANSystem

@_cdecl("skan_store_kit_run")
@implementation
public func skan_store_kit_run(_ kit: UnsafePointer<skan_store_kit>?) -> Int32 {
    guard let kit else { return refuse("kit is NULL") }
    guard kit.pointee.size == MemoryLayout<skan_store_kit>.size else {
        return refuse("size is not sizeof(skan_store_kit)")
    }
    let given = kit.pointee
    guard let open = given.open else { return refuse("open is NULL") }
    let settings = readSettings(given)
    if let problem = settings.problem { return refuse(problem) }
    let opener = ForeignStoreOpener(given.context, open: open, reopen: given.reopen)
    if let report = given.report { return tell(report, given.context, settings, opener) }
    return printResults(settings, opener)
}

@_cdecl("skan_store_kit_law")
@implementation
public func skan_store_kit_law(_ number: Int) -> UnsafePointer<CChar>? {
    1...Law.all.count ~= number ? Law.all[number - 1].name.cString : nil
}

private func refuse(_ reason: Message) -> Int32 {
    let line = CText(Message("skan_store_kit_run: \(reason)\n").utf8)
    line.characters.withUnsafeBufferPointer { system_print_error($0.baseAddress) }
    return -1
}

// MARK: Settings

/// Converts the C settings. Zeros stand for the defaults.
private func readSettings(_ kit: skan_store_kit) -> LawSettings {
    var settings = LawSettings()
    settings.isDurable = kit.durable
    settings.isShared = kit.shared
    if let prefix = kit.prefix { settings.prefix = [UInt8](Bytes(start: prefix, count: strlen(prefix))) }
    if kit.threads != 0 { settings.threads = Int(kit.threads) }
    if kit.rounds != 0 { settings.rounds = Int(kit.rounds) }
    if kit.steps != 0 { settings.steps = Int(kit.steps) }
    settings.seed = kit.seed != 0 ? kit.seed : LawSettings.seedOfClock()
    return settings
}

// MARK: Results

private func printResults(_ settings: LawSettings, _ opener: ForeignStoreOpener) -> Int32 {
    var report = LawReport(settings) { line in
        CText(line.utf8).characters.withUnsafeBufferPointer { system_print_line($0.baseAddress) }
    }
    Law.proveAll(settings, opener) { number, law, outcome in report.add(number, law, outcome) }
    report.end()
    return Int32(report.failed)
}

private typealias Report = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<skan_store_kit_result>?) -> Void

private func tell(
    _ report: Report, _ context: UnsafeMutableRawPointer?, _ settings: LawSettings, _ opener: ForeignStoreOpener
) -> Int32 {
    var failed: Int32 = 0
    Law.proveAll(settings, opener) { number, law, outcome in
        var result = skan_store_kit_result()
        result.size = MemoryLayout<skan_store_kit_result>.size
        result.number = number
        result.law = law.name.cString
        var reason: Message = ""
        switch outcome {
        case .success: result.outcome = SKAN_STORE_KIT_PASSED
        case .failure(.broken(let why)): (result.outcome, reason, failed) = (SKAN_STORE_KIT_FAILED, why, failed + 1)
        case .failure(.notApplicable(let why)): (result.outcome, reason) = (SKAN_STORE_KIT_NOT_APPLICABLE, why)
        }
        CText(reason.utf8).characters.withUnsafeBufferPointer {
            result.reason = $0.baseAddress
            report(context, &result)
        }
    }
    return failed
}
