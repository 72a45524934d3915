import SKANCore
import Testing

/// Rules, "Model decode". The vectors of models ask for values that an install can have. This test alone judges that
/// others are refused, and which argument the message names.
struct DecodedValueTests {
    @Test(
        arguments: [
            (-1, 0, -1, "window"), (3, 0, -1, "window"), (0, -2, 0, "fine"), (0, 64, -1, "fine"), (1, -1, -2, "coarse"),
            (1, -1, 3, "coarse"), (1, -1, -1, "fine"),
        ] as [(Int32, Int32, Int32, String)])
    func whatNoInstallCanHaveIsRefused(window: Int32, fine: Int32, coarse: Int32, named: String) throws {
        let model = try ConversionModel.of(rules: [#"{"fine":3,"coarse":1}"#, #"{"coarse":1}"#, ""]).get()
        let decoded = outcome { () throws(Failure) in try model.decode(window: window, fine: fine, coarse: coarse) }
        #expect(decoded.failedStatus == "SKAN_ERROR_INVALID_ARGUMENT")
        #expect(decoded.failedMessage?.hasPrefix(named + ": ") == true)
    }
}
