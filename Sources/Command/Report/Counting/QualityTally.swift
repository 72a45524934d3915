import SKANCommandRows
import SKANCore

/// The numbers of a network's counted, unusual and refused postbacks.
struct NetworkQuality {
    /// The number of postbacks that were not refused, including those of unknown types. Further copies do not count.
    var counted: UInt64 = 0
    /// The number of counted postbacks that are not spelled as Apple spells them.
    var respelled: UInt64 = 0
    /// The number of counted postbacks whose value has no meaning.
    var illegal: UInt64 = 0
    var unknownTypes: UInt64 = 0
    var refused = RefusedCounts()
    var days = ValueDays()

    var refusedCount: UInt64 { refused.sum }
    /// Whether any postback was respelled, illegal, of an unknown type or refused.
    var isRemarkable: Bool { respelled + illegal + unknownTypes + refusedCount > 0 }

    mutating func add(_ more: NetworkQuality) {
        counted += more.counted
        respelled += more.respelled
        illegal += more.illegal
        unknownTypes += more.unknownTypes
        refused.add(more.refused)
    }
}

/// The name of a type, version or key that libskan does not know. Rules, "Unknown types".
struct UnknownName: Hashable {
    /// Apple's name of the field.
    let field: [UInt8]
    let name: [UInt8]
}

/// The quality of each network's postbacks, and the unknown names in postbacks. Memory grows with networks and days.
struct QualityTally {
    /// The counts by network. The empty name stands for postbacks that name no network, and for refused postbacks of
    /// networks beyond the limit.
    private(set) var networks: [[UInt8]: NetworkQuality] = [:]
    /// The number of postbacks with each unknown name.
    private(set) var unknown: [UnknownName: UInt64] = [:]

    /// The maximum number of entries in `unknown`. Once `networks` has this many entries, refused postbacks of further
    /// networks are counted under the empty name, since anybody can send postbacks with made-up names.
    private static var most: Int { 10_000 }

    mutating func add(_ observed: borrowing ObservedPostback) {
        var quality = NetworkQuality()
        quality.counted = 1
        quality.respelled = observed.isRespelled ? 1 : 0
        quality.illegal = observed.isIllegal ? 1 : 0
        quality.unknownTypes = observed.conversion == .unknownType ? 1 : 0
        let network = observed.network ?? []
        networks[network, default: NetworkQuality()].add(quality)
        networks[network, default: NetworkQuality()].days.add(observed)
        count(observed)
    }

    mutating func add(refused observed: borrowing ObservedPostback) {
        let named = observed.network ?? observed.sender
        let network = networks.count < QualityTally.most || networks[named] != nil ? named : []
        networks[network, default: NetworkQuality()].refused[observed.refusedReason] += 1
        count(observed)
    }

    private mutating func count(_ observed: borrowing ObservedPostback) {
        guard let name = observed.unknownType else { return }
        let key = UnknownName(field: [UInt8](name.field.bytes), name: name.name)
        guard unknown.count < QualityTally.most || unknown[key] != nil else { return }
        unknown[key, default: 0] += 1
    }
}
