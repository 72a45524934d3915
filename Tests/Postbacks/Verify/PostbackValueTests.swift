import Testing

@testable import SKANPostbackVerification

private func wholeNumber(_ text: String) -> Int64? {
    Array(text.utf8).withUnsafeBytes { SKANPostbackVerification.wholeNumber($0) }
}

@Test func wholeNumbersAreReadUpTo64Bits() {
    #expect(wholeNumber("0") == 0)
    #expect(wholeNumber("-0") == 0)
    #expect(wholeNumber("525463029") == 525_463_029)
    #expect(wholeNumber("9223372036854775807") == .max)
    #expect(wholeNumber("-9223372036854775808") == .min)
}

@Test(arguments: ["", "-", "1.0", "1e3", "9223372036854775808", "-9223372036854775809", "99999999999999999999", " 1"])
func whatIsNoneIsNoWholeNumber(text: String) {
    #expect(wholeNumber(text) == nil)
}

@Test func fieldsGoInTheirOrder() {
    let fields: PostbackFieldSet = [.didWin, .version, .appID]
    #expect(Array(fields) == [.version, .appID, .didWin])
    #expect(fields.count == 3)
    #expect(!fields.contains(.jws))
}

@Test func everyVersionSignsWhatItKnows() {
    for format in SKAdNetworkFormat.allCases {
        for field in format.signed {
            #expect(format.known.contains(field))
            #expect(field.skAdNetworkName != nil)
        }
        #expect(!format.signed.contains(.conversionValue) && format.known.contains(.conversionValue))
    }
}
