/// Elements in their order, each once, found by halving. The standard library's Set would need libm, which programs
/// that are linked with the kit need not have.
struct Ordered<Element> {
    private var elements: [Element] = []
    private let precedes: @Sendable (Element, Element) -> Bool

    init(by precedes: @escaping @Sendable (Element, Element) -> Bool) { self.precedes = precedes }

    /// False if the element is there already.
    mutating func insert(_ element: Element) -> Bool {
        let place = place(of: element)
        if isAt(place, element) { return false }
        elements.insert(element, at: place)
        return true
    }

    func contains(_ element: Element) -> Bool { isAt(place(of: element), element) }

    private func isAt(_ place: Int, _ element: Element) -> Bool {
        place < elements.count && !precedes(element, elements[place])
    }

    /// The first place whose element does not come before.
    private func place(of element: Element) -> Int {
        // New elements often come last.
        if let last = elements.last, precedes(last, element) { return elements.count }
        var range = elements.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = precedes(elements[middle], element) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension Ordered: Sendable where Element: Sendable {}
