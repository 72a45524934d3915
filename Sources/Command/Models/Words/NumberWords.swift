package import SKANCore

/// "0, 3 to 5": ascending numbers, two that follow each other one by one, three and more as a range.
package func numberWords(_ numbers: [Int]) -> Message {
    var words: [Message] = []
    var place = 0
    while place < numbers.count {
        let first = numbers[place]
        var last = first
        while place + 1 < numbers.count, numbers[place + 1] == last + 1 {
            place += 1
            last += 1
        }
        place += 1
        switch last - first {
        case 0: words.append("\(first)")
        case 1: words += ["\(first)", "\(last)"]
        default: words.append("\(first) to \(last)")
        }
    }
    return listed(words)
}
