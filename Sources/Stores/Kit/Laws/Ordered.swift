/// A sorted set that uses binary search. The standard library's Set would need libm, which programs that link the kit
/// should not have to link.
struct Ordered<Element> {
    private var elements: [Element] = []
    private let precedes: @Sendable (Element, Element) -> Bool

    init(by precedes: @escaping @Sendable (Element, Element) -> Bool) { self.precedes = precedes }

    /// Returns false if the set already has the element.
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

    /// The index of the first element that does not come before `element`.
    private func place(of element: Element) -> Int {
        // Fast path: new elements are often the greatest.
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
