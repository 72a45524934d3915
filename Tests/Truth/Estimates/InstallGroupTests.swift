import Testing

@testable import SKANTruth

@Test func aGroupIsOfTheCoarseValueThatMostOfItsInstallsHave() {
    var group = InstallGroup()
    #expect(group.coarseClass == 0)
    for value: UInt8? in [0, 1, 1, 2, nil, nil, 3, 3, 3] { group.add(coarse: value) }
    #expect(group.coarseClass == 1, "those without a value and of one that is none do not count")
}
