import CSKANSystem
package import SKANCommandOutput
import SKANCore
package import SKANSystem

/// Runs `skan model try`: applies the history in a file, one step per line, to an install, and prints each step. "-" is
/// standard input. Returns `.found`, after reporting the lines at fault, if any were wrong.
@export(interface)
package func tryHistory(_ path: CText, by model: ModelFile, asDocuments: Bool) throws(CommandEnd) -> ExitCode {
    try withInput(path) { file, name in
        var history = History(name: name, trial: ModelTrial(model.model), asDocuments: asDocuments)
        let isRead = history.takeLines(FileLines(file))
        if !asDocuments { history.printSum(isRead: isRead) }
        return isRead && history.wrong == 0 ? .fine : .found
    }
}

private struct History {
    let name: Message
    var trial: ModelTrial
    let asDocuments: Bool
    var reader = HistoryReader()
    var taken: UInt64 = 0
    var updates: UInt64 = 0
    var wrong: UInt64 = 0

    /// Returns false, after reporting it, if the file could not be read completely.
    mutating func takeLines(_ lines: FileLines) -> Bool {
        while !Ending.isEnding {
            switch lines.next() {
            case .whole(let line):
                take(line, number: lines.number)
            case .tooLong:
                say("too long", lines.number)
            case .over:
                return true
            case .failed(let number):
                if !Ending.isEnding { complain(name, Message(systemError: number)) }
                return false
            }
        }
        return true
    }

    private mutating func take(_ whole: Bytes, number: UInt64) {
        var line = whole
        while let last = line.last, StaticString(" \t\r").bytes.contains(last) {
            line = Bytes(rebasing: line.dropLast())
        }
        if line.isEmpty { return }
        do throws(WrongLine) {
            let step = try reader.step(line, number: number)
            let result = try taking(step)
            reader.took(step)
            taken += 1
            if result.update != nil { updates += 1 }
            if asDocuments {
                printTrialDocument(step, line: line, result)
            } else {
                printTrialWords(step, result)
            }
        } catch {
            say(error.why, number)
        }
    }

    private mutating func taking(_ step: HistoryStep) throws(WrongLine) -> TrialResult {
        do throws(Failure) {
            return try trial.take(step)
        } catch {
            throw WrongLine(error.message)
        }
    }

    private mutating func say(_ why: Message, _ number: UInt64) {
        wrong += 1
        // Prints the lines before the message first, in case both outputs go to the same place.
        StandardOutput.flush()
        complain(name, "line \(number): \(why)")
    }

    func printSum(isRead: Bool) {
        let steps: Message = "\(taken) step\(plural(taken)), \(updates) update\(plural(updates))"
        let left: Message = wrong == 0 ? "" : ", \(wrong) line\(plural(wrong)) left out"
        let part: StaticString = isRead ? "" : "not all: "
        StandardOutput.line("\(part)\(steps)\(left)")
    }
}
