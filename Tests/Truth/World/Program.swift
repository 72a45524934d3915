internal import CSKANSystem
internal import SKANCommandModels
internal import SKANCommandOutput
internal import SKANCommandStores
internal import SKANCore
internal import SKANEngine
internal import SKANSystem

/// world FOLDER FAMILY SEED MODEL MODEL [INSTALLS PART]: plays a world, and leaves in the folder world.db, with installs
/// and postbacks, campaigns.csv, and the truth in counted.tsv and brought.tsv; prints when the report is to be made, and the models. PART:
/// of the installs, in percent, those that campaigns may bring.
@_cdecl("main")
public func main(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    let words = UnsafeBufferPointer(start: words, count: Int(count)).dropFirst().compactMap { word in
        word.map { CText(copying: $0) }
    }
    do throws(CommandEnd) {
        guard words.count == 5 || words.count == 7 else { throw .usage(what: "world", why: "expected 5 words or 7") }
        let name = words[1].message
        guard let family = Family(named: name.utf8) else { throw .usage(what: name, why: "no such family of worlds") }
        let models = [try ModelFile.read(words[3]).model, try ModelFile.read(words[4]).model]
        let sizes = words.dropFirst(5).map { atoi($0.characters) }
        let folder = words[0].message
        let store = try OpenStore.open(CText(("sqlite:\(folder)/world.db" as Message).utf8), for: .fills)
        let played = try played {
            () throws(Failure) in
            try World(
                family.traits, seed: family.seed(strtoull(words[2].characters, nil, 10)), models,
                installs: sizes.first.map { Int($0) }, brought: sizes.last.map { Double($0) / 100 })
        }
        try write(played, to: store, in: folder)
        return 0
    } catch {
        return error.say().rawValue
    }
}

/// What devices sent, and what it is to be judged by.
private func write(_ world: World, to store: OpenStore, in folder: Message) throws(CommandEnd) {
    var saving = Saving(store)
    for player in world.players where world.isStored(player) {
        let record = player.key.withUnsafeBytes { world.book.records.withRecord($0) { $0.map { [UInt8]($0.record) } } }
        try (record ?? []).withBytes { record throws(CommandEnd) in try saving.add(player.key, record) }
    }
    var records: [[UInt8]: [UInt8]] = [:]
    let truth = try played { () throws(Failure) in
        var shelf = try Shelf(SigningKey(), world.modelTimes)
        let truth = try Truth(world, &shelf)
        records = shelf.records
        return truth
    }
    for (key, record) in records {
        try record.withBytes { record throws(CommandEnd) in try saving.add(key, record) }
    }
    try saving.end()
    try write(truth.counted.array, "\(folder)/counted.tsv")
    try write(truth.brought.array, "\(folder)/brought.tsv")
    try write(truth.costs.text, "\(folder)/campaigns.csv")
    StandardOutput.line("\(utcTime(world.now)) \(world.hasTwoModels ? 2 : 1)")
    StandardOutput.flush()
}

private func played<Result: ~Copyable>(_ play: () throws(Failure) -> Result) throws(CommandEnd) -> Result {
    do throws(Failure) { return try play() } catch { throw .complaint("world", error.message) }
}
