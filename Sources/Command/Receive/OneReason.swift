import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

/// The reason why a run refused all its postbacks, if it is the same for all of them. It often points to a mistake in
/// the options.
struct OneReason {
    private var count: UInt64 = 0
    private var reason: RefusedReason?
    /// Whether a postback was counted, in this run or earlier, or was refused for another reason.
    private var hasOthers = false
    /// The first few apps or ad networks that the postbacks name.
    private var names: [Message] = []

    private static var mostNamed: Int { 3 }

    mutating func count(_ arrived: ArrivedPostback) {
        let outcome = arrived.reception.record.outcome
        if outcome == .counted || outcome == .duplicate || (reason ?? arrived.reason) != arrived.reason {
            hasOthers = true
        }
        if hasOthers { return }
        count += 1
        reason = arrived.reason
        if names.count <= OneReason.mostNamed { note(arrived) }
    }

    private mutating func note(_ arrived: ArrivedPostback) {
        let postback = arrived.reception.postback
        let name: Message? =
            arrived.reason == .otherApp
            ? postback.integer(.appID).map { "\($0)" }
            : postback.textUntilNUL(.adNetworkID).map { Message(utf8: $0) }
        if let name, !names.contains(where: { $0.utf8 == name.utf8 }) { names.append(name) }
    }

    /// Reports the reason if all postbacks were refused for it. Returns exit code 1 if they were refused by options
    /// that select apps or networks. `again`: whether the postbacks were judged again.
    func tell(_ store: Message, again: Bool) -> ExitCode {
        guard let reason, !hasOthers else { return .fine }
        let advice: Message = again ? "" : "; skan receive \(store) --refused judges them again, by other options"
        complainPlainly("skan: nothing was counted: \(why(reason))\(advice)")
        return reason == .otherApp || reason == .otherNetwork ? .found : .fine
    }

    private func why(_ reason: RefusedReason) -> Message {
        let all: Message = count == 1 ? "the postback is" : "all \(count) postbacks are"
        switch reason {
        case .otherApp: return "\(all) of another app than --app-id names: \(named)"
        case .otherNetwork: return "\(all) of another ad network than is expected: \(named)"
        case .unverifiable: return "\(all) of a version or key that is not known; --postback-keys names further keys"
        case .invalid: return "\(all) signed wrongly: something signed was changed on the way"
        default: return "\(all) \(reason.words)"
        }
    }

    private var named: Message {
        var text: Message = ""
        for (place, name) in names.prefix(OneReason.mostNamed).enumerated() {
            text = place == 0 ? name : "\(text), \(name)"
        }
        return names.count > OneReason.mostNamed ? "\(text) and others" : text
    }
}

extension ArrivedPostback {
    var reason: RefusedReason { RefusedReason(reception.record.outcome, result) }
}
