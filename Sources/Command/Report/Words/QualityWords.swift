import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANSystem

extension QualityWarning {
    func sentence(_ network: Message) -> Message {
        switch self {
        case .stopped(let last, let days, let active, let of):
            """
            Postbacks of \(network) stopped: the last arrived \(utcTime(last)), and \(UInt64(days).readable) full days \
            are silent, where one arrived on \(UInt64(active).readable) of the \(UInt64(of).readable) days before. Ask \
            the network, and see whether its postbacks reach this server.
            """
        case .illegalRose(let recent, let earlier):
            """
            The share of illegal values of \(network) rose: \(share(recent)) of its last \
            \(UInt64(QualityStatistics.recentDays).readable) days, \(share(earlier)) of the time before. Ask whoever \
            passes them on what was changed.
            """
        }
    }

    private func share(_ days: ValueDay) -> Message {
        "\(days.illegal.readable) of \((days.illegal + days.readable).readable) values"
    }
}

extension Report {
    var qualityWarnings: [Message] {
        quality.lines.flatMap { line in line.warnings.map { $0.sentence(Message(utf8: line.title)) } }
    }
}

extension DataQuality {
    /// The sentence about the networks that are not shown.
    var leftSentence: Message {
        """
        \(left.postbacks.readable) refused postbacks name \(left.networks.readable) further networks, which anybody \
        can make up.
        """
    }

    /// Explains when a warning is given.
    static var method: StaticString {
        """
        A warning is given only if chance alone would cause it less than once in a thousand times. Stopped: if the \
        days with postbacks and the days without, of the last 90, were in random order, all days without would so \
        rarely be the last ones. Risen: Fisher’s exact test compares the illegal values of the last 7 days with those \
        of the time before.
        """
    }

    var advice: [Message] {
        var advice: [Message] = []
        if total.respelled > 0 {
            advice.append(
                """
                Respelled postbacks were written otherwise than Apple writes them; the signature proved how they are \
                meant, and they count. Ask whoever passes them on to forward bodies unchanged.
                """)
        }
        if total.illegal > 0 {
            advice.append(
                """
                Illegal values have no meaning, such as 64 or text that is no number. Apple did not hide them: whoever \
                passed the postbacks on changed conversion-value or coarse-conversion-value, and can mend it.
                """)
        }
        if !unknown.isEmpty {
            advice.append(
                """
                Types, versions and keys that are not known may be newer than this libskan. Install a newer one, or \
                give new keys by --postback-keys; what is not known counts as nothing until then.
                """)
        }
        return advice + RefusedReason.reported.filter { total.refused[$0] > 0 }.compactMap { $0.advice }
    }
}

extension RefusedReason {
    /// nil if there is nothing to do.
    fileprivate var advice: Message? {
        switch self {
        case .invalid:
            "Where the signature does not fit, a signed field was changed on the way, or the postback is forged."
        case .unverifiable:
            "skan receive STORE --refused judges unverifiable postbacks again, with today’s keys."
        case .development: nil
        case .malformed: "skan refused STORE lists malformed postbacks, each with the field that is wrong."
        case .conflict: "Of copies with other values the first one counts: ask the sender why the values differ."
        case .otherNetwork:
            "Postbacks of other ad networks count if --ad-network, or the sender’s list of ad networks, names them."
        case .otherApp:
            "Postbacks of other apps count if --app-id names them; skan receive STORE --refused judges them again."
        }
    }
}
