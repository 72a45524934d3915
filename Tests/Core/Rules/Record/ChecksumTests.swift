import SKANCore
import Testing

/// The checksum of a record. What it gives is part of the format: it stays. Other tests seal records by the library's
/// own checksum. These alone know what it has to be, for each length, and notice where bytes stand in memory.
struct ChecksumTests {
    private func sum(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { checksum($0) } }

    /// Computed apart from this library, for the bytes (37 i + n) mod 256, i = 0 ..< n.
    @Test(
        arguments: [
            (1, 0xF236_D9D0_244D_42E9), (2, 0xC52C_473F_1740_F884), (3, 0x04AA_818F_314C_DD98),
            (4, 0x6D9A_5AAF_F66A_C105), (5, 0x078E_90FE_5CA4_FABA), (6, 0x1675_FF08_7F35_F3FA),
            (7, 0xCF98_AB0F_5E68_D9A3), (8, 0xDB97_82FB_FBD6_FAE3), (9, 0xA295_0423_6043_C02D),
            (10, 0x67C3_B32C_9DE0_FC45), (11, 0x5039_B094_02CA_2C53), (12, 0xA0D5_0C49_7401_0AFB),
            (13, 0x67B7_6639_1978_345D), (14, 0x5C49_A112_3C98_AB16), (15, 0xD6BF_E48D_B34F_076C),
            (16, 0xE039_FEBA_F51A_8B29), (17, 0xB385_6B41_064B_6099), (18, 0x99F3_0088_B57E_C3ED),
            (19, 0xA483_7098_E6A5_0A0D), (20, 0x10AF_6F40_E556_9896), (21, 0x857D_7A75_F3FF_E3E9),
            (22, 0x4B48_BD0D_16A8_9B78), (23, 0xC27C_2A2D_FA18_81C1), (24, 0xB8EC_CB11_FAAB_6E25),
            (25, 0x8F49_1F31_D637_1DE5), (26, 0xBADC_9855_75F5_B29A), (27, 0xD58E_8B9C_D44F_885D),
            (28, 0xC8DA_D148_625F_38CD), (29, 0x6C9A_E35E_3A03_E53B), (30, 0x766D_62E0_9071_BD00),
            (31, 0xB0BF_1E35_3E30_967D), (32, 0x1887_8720_4981_EB58), (33, 0x57EC_20DE_8134_4F29),
            (34, 0x6914_56D8_7FAD_F74B), (35, 0x1C4C_30A2_ACA5_BAD2), (36, 0x2490_1D79_0035_6EF1),
            (37, 0x7760_8989_3B2F_953F), (38, 0xB256_CC36_9748_2CF7), (39, 0x71C6_8CAD_FBA0_4460),
            (40, 0xAF13_94B0_2739_49A2), (63, 0xF916_4564_3D05_CBC2), (64, 0x8DF5_134D_DEBE_0FFD),
            (65, 0x1156_2678_BB93_DC04), (95, 0x9367_025E_4DA3_A7C9), (96, 0x9484_089F_D63C_40B8),
            (97, 0xFB79_D18E_97D8_7ABA), (104, 0xB2DF_C2D9_DB2C_10CB), (127, 0x3E5C_CA5F_0FF5_5A3C),
            (128, 0x9F0B_7448_69B4_9F78), (129, 0x2206_0DD7_C32E_69EF), (1000, 0x7566_3BCB_41FA_8CBD),
            (32768, 0x7553_20A7_8241_5E5D),
        ] as [(Int, UInt64)])
    func itStays(count: Int, expected: UInt64) {
        #expect(sum((0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }) == expected)
    }

    @Test func itDoesNotDependOnWhereTheBytesStand() {
        let bytes = Chance.sample(200)
        let expected = sum(bytes)
        for shift in 1..<16 {
            let moved = [UInt8](repeating: 0xA5, count: shift) + bytes + [0x5A]
            let found = moved.withUnsafeBytes { checksum(UnsafeRawBufferPointer(rebasing: $0[shift..<shift + 200])) }
            #expect(found == expected)
        }
    }
}

extension Chance {
    fileprivate static func sample(_ count: Int) -> [UInt8] {
        var chance = Chance(UInt64(count))
        return chance.bytes(count)
    }
}
