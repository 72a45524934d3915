import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// What a report warns of, with the share that each warning names.
private func warnings(_ lay: (inout ConstructedApp) throws -> Void) throws -> [String: Double] {
    var app = try ConstructedApp()
    try lay(&app)
    let warnings = app.basis().warnings
    return Dictionary(uniqueKeysWithValues: warnings.map { ("\($0.key)", $0.share) })
}

@Test func onePayerWithAQuarterOfTheRevenueIsNamed() throws {
    func share(_ largest: Double) throws -> Double? {
        try warnings { app in
            try app.addInstalls(30, days: 40, fine: 2, revenue: [1])
            try app.addInstalls(1, days: 40, fine: 3, revenue: [largest])
        }["largest_payer"]
    }
    #expect(try share(10) == nil)
    #expect(try share(30) == 0.5)
}

@Test func fineValuesOfOlderVersionsAreNamed() throws {
    func share(_ count: Int) throws -> Double? {
        try warnings { app in
            try app.addInstalls(100, days: 40, fine: 0)
            app.addPostbacks(100 - count, days: 40, fine: 0)
            app.addPostbacks(count, days: 40, fine: 0, of: "campaign-id 7")
        }["older_versions"]
    }
    #expect(try share(2) == nil)
    #expect(try share(3) == 0.03)
}

@Test func valuesThatAreMissingThoughAppleGivesOneAreNamed() throws {
    func share(_ count: Int, of identifier: String) throws -> Double? {
        try warnings { app in
            try app.addInstalls(400, days: 40, fine: 0)
            app.addPostbacks(200 - count, days: 40, fine: 0, of: identifier)
            app.addPostbacks(count, days: 40, of: identifier)
        }["missing_values"]
    }
    #expect(try share(10, of: "239") == nil)
    #expect(try share(20, of: "239") == 0.1)
    #expect(try share(20, of: "5239") == 0.1)
    #expect(try share(20, of: "39") == nil)
}

@Test func moreInstallsWithAValueThanTheStoreHasAreNamed() throws {
    func share(_ own: Int) throws -> Double? {
        try warnings { app in
            try app.addInstalls(500, days: 40, fine: 0)
            try app.addInstalls(own, days: 40, fine: 2, revenue: [1])
            app.addPostbacks(100, days: 40, fine: 2)
        }["missing_installs"]
    }
    #expect(try share(100) == nil && share(92) == nil)
    #expect(try share(60) == 0.4)
}

@Test func laterInstallsThatBringLessAtEqualValueAreNamed() throws {
    func share(_ later: Double) throws -> Double? {
        try warnings { app in
            for (days, growth) in [(60.0, 2.0), (20, later)] {
                try app.addInstalls(300, days: days, fine: 0)
                for amount in [0.5, 1, 1.5] {
                    try app.addInstalls(50, days: days, fine: 2, revenue: [1, amount * growth])
                }
            }
        }["cohorts"]
    }
    #expect(try share(2) == nil && share(1.8) == nil)
    #expect(try (share(1).require() - 0.5).magnitude < 1e-9)
    #expect(try (share(3).require() - 1.5).magnitude < 1e-9)
}

@Test func windowsAfterTheFirstThatTellOtherwiseThanOwnInstallsAreNamed() throws {
    func share(_ told: Int, among count: Int = 400, of identifier: String = "239") throws -> Double? {
        try warnings { app in
            try app.addInstalls(400, days: 60, fine: 2, revenue: [1], later: [0])
            try app.addInstalls(400, days: 60, fine: 2, revenue: [1])
            // The first day is looked at without those near it.
            app.addPostbacks(1, days: 70, fine: 2, of: identifier)
            app.addPostbacks(count, days: 60, fine: 2, of: identifier)
            app.addPostbacks(told, days: 60, coarse: 0, of: identifier, window: .second)
        }["later_windows"]
    }
    // A tenth and more by chance alone.
    #expect(try share(19, among: 48) == nil)
    #expect(try share(200) == nil && share(185) == nil)
    #expect(try share(100) == 0.5 && share(300) == 1.5)
    // Two digits name the campaign.
    #expect(try share(100, of: "39") == 0.5)
    // No players explain so few.
    #expect(try share(60) == nil)
}

@Test func installsWhoseLaterWindowsHaveNotArrivedAreNotCompared() throws {
    func checks(days: Double) throws -> [LaterCheck] {
        var app = try ConstructedApp()
        try app.addInstalls(100, days: 60, fine: 2, revenue: [1], later: [1, 0])
        app.addPostbacks(1, days: 70, fine: 2, of: "239")
        app.addPostbacks(50, days: days, fine: 2, of: "239")
        app.addPostbacks(40, days: days, coarse: 1, of: "239", window: .second)
        return app.lines()[0].brought?.later ?? []
    }
    #expect(try checks(days: 13).isEmpty)
    let second = try checks(days: 16)
    #expect(second.map { $0.told } == [40, 40] && second.map { $0.expected } == [50, 50])
    #expect(second.allSatisfy { $0.window == .second && $0.installs == 50 })
    // Of window 2 nothing came.
    #expect(try checks(days: 44).map { $0.told } == [40, 40, 0])
}

@Test func laterPayersThatBringLessAtEqualValueAreNamedWhereLargeAmountsHideIt() throws {
    func share(_ later: Double) throws -> Double? {
        try warnings { app in
            for (days, factor) in [(60.0, 1.0), (20, later)] {
                try app.addInstalls(300, days: days, fine: 0)
                for amount in [1.0, 2, 4] {
                    try app.addInstalls(20, days: days, fine: 2, revenue: [1, amount * factor])
                }
                // Few with amounts that differ by chance.
                try app.addInstalls(3, days: days, fine: 2, revenue: [1, days == 60 ? 100 : 150])
            }
        }["cohorts"]
    }
    #expect(try share(1) == nil)
    #expect(try (0.4...0.6).contains(share(0.5).require()))
}

@Test func weeksInWhichPostbacksTellMoreThanTheStoreHasAreNamed() throws {
    func share(_ own: Int) throws -> Double? {
        try warnings { app in
            try app.addInstalls(own, days: 40, fine: 2, revenue: [1])
            try app.addInstalls(500, days: 60, fine: 2, revenue: [1])
            // Days alone tell nothing.
            try app.addInstalls(200, days: 40, fine: 0)
            app.addPostbacks(100, days: 40, fine: 2)
        }["missing_installs"]
    }
    #expect(try share(90) == nil)
    // 100 told, 46 at most by the days' blur, and 3.
    #expect(try share(40) == 0.51)
}

@Test func daysInWhichPostbacksTellMoreThanTheStoreHasAreNamedWhateverTheirValues() throws {
    func share(_ own: Int) throws -> Double? {
        try warnings { app in
            try app.addInstalls(500, days: 60, fine: 2, revenue: [1])
            for day in 30..<34 { try app.addInstalls(own, days: Double(day), fine: UInt8(day % 3), revenue: [1]) }
            for day in 30..<34 {
                app.addPostbacks(25, days: Double(day), fine: day % 2)
                app.addPostbacks(25, days: Double(day))
            }
        }["missing_installs"]
    }
    #expect(try share(50) == nil)
    #expect(try share(30) == 0.4)
}

@Test func campaignsThatAreSaidToHaveBroughtMoreThanTheStoreAreNamed() throws {
    func share(_ told: Int, own: Int) throws -> Double? {
        try warnings { app in
            try app.addInstalls(own, days: 40, fine: 0)
            try app.addInstalls(10, days: 40, fine: 2, revenue: [10])
            app.addPostbacks(told, days: 40, fine: 2)
        }["more_than_the_store"]
    }
    // Revenue: too few installs lack for a warning of its own.
    #expect(try share(10, own: 1000) == nil)
    #expect(try (share(15, own: 1000).require() - 0.5).magnitude < 0.05)
    // Installs.
    #expect(try share(12, own: 0) == 0.2)
}

@Test func aFewValuesThatNoOwnInstallHadInLaterWindowsChangeNoComparison() throws {
    func told(_ others: Int) throws -> [Double] {
        var app = try ConstructedApp()
        try app.addInstalls(200, days: 60, fine: 2, revenue: [1], later: [0])
        try app.addInstalls(1, days: 60, fine: 3, revenue: [10], later: [0])
        app.addPostbacks(1, days: 70, fine: 2, of: "239")
        app.addPostbacks(100, days: 60, fine: 2, of: "239")
        app.addPostbacks(others, days: 60, fine: 3, of: "239")
        app.addPostbacks(100 + others, days: 60, coarse: 0, of: "239", window: .second)
        return try app.lines()[0].brought.require().later.map { $0.expected }
    }
    #expect(try told(4) == [104])
    #expect(try told(8).isEmpty)
}
