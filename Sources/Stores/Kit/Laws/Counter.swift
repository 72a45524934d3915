/// A record that begins with a number in decimal.
enum Counter {
    /// 0 where there is none; of more digits than fit, what is left of it.
    static func number(in record: [UInt8]) -> UInt64 {
        record.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            .reduce(0) { $0 &* 10 &+ UInt64($1 - UInt8(ascii: "0")) }
    }
}
