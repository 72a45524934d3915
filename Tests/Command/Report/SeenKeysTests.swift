import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

@Test func aKeyThatComesAgainIsOld() {
    var seen = SeenKeys()
    for wasSeen in [false, true] {
        for number in 0..<5000 {
            for kind in ["postback/", "refused/"] as [StaticString] {
                let key = postbackKeyText(kind, number)
                #expect(key.withUnsafeBytes { seen.add($0) } == !wasSeen)
            }
        }
    }
}

func postbackKeyText(_ prefix: StaticString, _ number: Int) -> [UInt8] {
    let digest = [UInt8]("\(number)".utf8).withUnsafeBytes { SHA256(of: $0) }
    var key = ByteBuffer(capacity: 80)
    key.append(prefix)
    digest.write(to: &key)
    return bytes(of: key)
}
