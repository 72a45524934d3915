import SKANCore

/// Returns the names that differ least from a word, to suggest for a misspelt one. They differ by at most two changes,
/// and by fewer than half of the word's letters. A change inserts, removes, replaces or swaps adjacent letters.
func nearest(to word: [UInt8], among names: [[UInt8]]) -> [[UInt8]] {
    guard word.count <= longestWord else { return [] }
    var (best, least): ([[UInt8]], Int) = ([], min(2, (word.count - 1) / 2))
    for name in names where !best.contains(name) {
        let count = changes(from: word, to: name)
        if count > least { continue }
        if count < least { best = [] }
        (best, least) = (best + [name], count)
    }
    return best
}

/// Returns ", did you mean --store?" or ", did you mean --store or --stores?"; empty if there are no names.
func suggestion(_ names: [Message]) -> Message {
    names.isEmpty ? "" : ", did you mean \(joinedWords(names, "or"))?"
}

/// Joins words as "a", "a and b" or "a, b and c". `last`: the word before the last one, "and" or "or".
func joinedWords(_ words: [Message], _ last: StaticString) -> Message {
    guard let end = words.last else { return "" }
    let before = words.dropLast()
    return before.isEmpty ? end : "\(joined([Message](before), ", ")) \(last) \(end)"
}

private var longestWord: Int { 64 }

/// Returns the smallest number of changes that turn a word into a name.
private func changes(from word: [UInt8], to name: [UInt8]) -> Int {
    var (before, last) = ([Int](), [Int](0...name.count))
    for row in word.indices {
        var next = [row + 1]
        for column in name.indices {
            var count = min(last[column + 1] + 1, next[column] + 1)
            count = min(count, last[column] + (word[row] == name[column] ? 0 : 1))
            let isExchanged =
                row > 0 && column > 0 && word[row] == name[column - 1] && word[row - 1] == name[column]
            if isExchanged { count = min(count, before[column - 1] + 1) }
            next.append(count)
        }
        (before, last) = (last, next)
    }
    return last[name.count]
}
