import Testing

@testable import SKANStoreLaws

struct DrawingTests {
    /// The first numbers of SplitMix64 from seed 0, as its author gives them.
    @Test
    func numbersAreThoseOfSplitMix64() {
        var drawing = Drawing(seed: 0)
        #expect(drawing.next() == 0xE220_A839_7B1D_CDAF)
        #expect(drawing.next() == 0x6E78_9E6A_A1B9_65F4)
        #expect(drawing.next() == 0x06C4_5D18_8009_454F)
    }

    @Test(arguments: [0, 1, 2, 7, 100])
    func anOrderHasEachNumberOnce(count: Int) {
        var drawing = Drawing(seed: 5)
        let order = drawing.order(count)
        #expect(order.sorted() == Array(0..<count))
        if count > 2 { #expect(order != Array(0..<count)) }
    }

    @Test(arguments: [0, 1, 7, 8, 9, 300])
    func bytesAreAsManyAsAreWanted(count: Int) {
        var (one, other) = (Drawing(seed: 1), Drawing(seed: 1))
        let bytes = one.bytes(count)
        #expect(bytes.count == count)
        #expect(bytes == other.bytes(count))
        if count >= 300 { #expect(Set(bytes).count > 100) }
    }
}
