// swift-tools-version: 6.2
import PackageDescription

/// A module: its name, the folder of Sources that it is, what it is built on. The Makefile reads names and folders here.
func module(_ name: String, _ folder: String, _ needs: [String], links: [String] = []) -> Target {
    .target(
        name: name, dependencies: needs.map { .byName(name: $0) }, path: "Sources/" + folder,
        linkerSettings: links.map { .linkedLibrary($0) })
}

/// Other people's C as a module: headers, no code.
func headers(_ name: String, _ folder: String, of package: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/" + folder, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// Tests of modules, in Swift.
func tests(_ name: String, _ folder: String, of modules: [String]) -> Target {
    .testTarget(name: name, dependencies: modules.map { .byName(name: $0) }, path: "Tests/" + folder)
}

// A subject has three storeys: what it does, C's face, Swift's face. The first two are compiled as Embedded Swift for
// libskan*.so, by the Makefile: no setting or trait of the package says so, for it would hold for Swift's face too, which
// cannot be compiled that way.
let modules: [Target] = [
    .systemLibrary(name: "CSKAN", path: "Include/skan"),
    module("CSKANSupport", "System/Support", [], links: ["json-c"]),
    module("SKANCore", "Core/Rules", ["CSKANSupport"]),
    module("SKANEngine", "Core/Engine", ["SKANCore", "CSKANSupport"]),
    module("SKANLibrary", "Core/Library", ["SKANEngine", "CSKAN"]),
    module("SKAN", "Core/Swift", ["SKANCore", "SKANEngine", "CSKANSupport"]),

    headers("CSKANSystem", "Libc", of: "libc6-dev"),
    module("SKANSystem", "System/Calls", ["SKANCore", "CSKANSystem"]),
    module("SKANCompanionLibrary", "Core/Companion", ["SKANCore", "SKANSystem", "CSKAN"]),

    module("SKANStorePool", "Stores/Pool", ["SKANCore", "SKANSystem", "CSKANSystem"]),
    module("SKANStoreLibrary", "Stores/Library", ["SKANStorePool", "SKANCore", "SKANSystem", "CSKAN", "CSKANSystem"]),
    module("SKANStoreThreads", "Stores/Swift", ["SKAN", "SKANCore", "SKANStorePool", "SKANSystem", "CSKANSystem"]),

    headers("CSKANSQLite3", "SQLite", of: "libsqlite3-dev"),
    module(
        "SKANSQLiteRecords", "Stores/SQLite/Records",
        ["SKANStorePool", "SKANCore", "SKANSystem", "CSKANSQLite3", "CSKANSystem"], links: ["sqlite3"]),
    module(
        "SKANSQLiteLibrary", "Stores/SQLite/Library", ["SKANSQLiteRecords", "SKANStoreLibrary", "SKANCompanionLibrary"]),
    module("SKANSQLite", "Stores/SQLite/Swift", ["SKANSQLiteRecords", "SKANStoreThreads"]),

    headers("CSKANCurl", "Curl", of: "libcurl4-openssl-dev"),
    module(
        "SKANHTTPClient", "HTTP/Client", ["SKANCore", "SKANSystem", "CSKANCurl", "CSKANSystem"], links: ["curl"]),
    module("SKANHTTPLibrary", "HTTP/Library", ["SKANHTTPClient", "SKANCompanionLibrary"]),
    module("SKANHTTP", "HTTP/Swift", ["SKAN", "SKANCore", "SKANHTTPClient", "SKANSystem"]),

    headers("CSKANPQ", "PQ", of: "libpq-dev", pkgConfig: "libpq"),
    module(
        "SKANPostgresRecords", "Stores/Postgres/Records",
        ["SKANStorePool", "SKANCore", "SKANSystem", "CSKANPQ", "CSKANSystem"]),
    module(
        "SKANPostgresLibrary", "Stores/Postgres/Library",
        ["SKANPostgresRecords", "SKANStoreLibrary", "SKANCompanionLibrary"]),
    module("SKANPostgres", "Stores/Postgres/Swift", ["SKANPostgresRecords", "SKANStoreThreads"]),

    headers("CSKANCrypto", "Crypto", of: "libssl-dev"),
    module(
        "SKANPostbackVerification", "Postbacks/Verify", ["SKANCore", "CSKANCrypto", "CSKANSystem"], links: ["crypto"]),
    module(
        "SKANPostbackReceiving", "Postbacks/Receive",
        ["SKANPostbackVerification", "SKANEngine", "SKANCore", "SKANSystem", "CSKANSystem"]),
    module(
        "SKANPostbackLibrary", "Postbacks/Library",
        [
            "SKANPostbackReceiving", "SKANPostbackVerification", "SKANStorePool", "SKANCompanionLibrary", "SKANCore",
            "SKANSystem", "CSKANSupport",
        ]),
    module("SKANPostback", "Postbacks/Swift", ["SKANPostbackVerification", "SKANCore", "SKAN"]),

    headers("CSKANHiredis", "Hiredis", of: "libhiredis-dev"),
    module(
        "SKANRedisRecords", "Stores/Redis/Records",
        ["SKANStorePool", "SKANCore", "SKANSystem", "CSKANHiredis", "CSKANSystem"], links: ["hiredis"]),
    module(
        "SKANRedisLibrary", "Stores/Redis/Library", ["SKANRedisRecords", "SKANStoreLibrary", "SKANCompanionLibrary"]),
    module("SKANRedis", "Stores/Redis/Swift", ["SKANRedisRecords", "SKANStoreThreads"]),

    module("SKANCommandOutput", "Command/Output", ["SKANCore", "SKANSystem", "CSKANSystem"]),
    module(
        "SKANCommandStores", "Command/Stores",
        [
            "SKANCommandOutput", "SKANStorePool", "SKANSQLiteRecords", "SKANPostgresRecords", "SKANRedisRecords",
            "SKANCore", "SKANSystem", "CSKANSystem",
        ]),
    module(
        "SKANCommandReport", "Command/Report",
        [
            "SKANCommandOutput", "SKANCommandStores", "SKANPostbackReceiving", "SKANPostbackVerification", "SKANCore",
            "SKANSystem", "CSKANSystem",
        ]),

    module(
        "SKANCommandRecords", "Command/Records",
        [
            "SKANCommandOutput", "SKANCommandStores", "SKANStorePool", "SKANPostbackReceiving", "SKANEngine",
            "SKANCore", "SKANSystem", "CSKANSystem",
        ]),

    module(
        "SKANCommandModels", "Command/Models", ["SKANCommandOutput", "SKANCore", "SKANSystem", "CSKANSystem"]),

    module(
        "SKANCommandOutbox", "Command/Outbox",
        [
            "SKANCommandOutput", "SKANCommandStores", "SKANHTTPClient", "SKANPostbackReceiving",
            "SKANPostbackVerification", "SKANStorePool", "SKANCore", "SKANSystem", "CSKANSupport",
        ]),

    headers("CSKANMicrohttpd", "Microhttpd", of: "libmicrohttpd-dev"),
    module(
        "SKANCommandServer", "Command/Server",
        [
            "SKANCommandOutbox", "SKANCommandModels", "SKANCommandStores", "SKANCommandOutput", "SKANStorePool",
            "SKANEngine", "SKANPostbackReceiving", "SKANPostbackVerification", "SKANCore", "SKANSystem",
            "CSKANMicrohttpd", "CSKANSupport", "CSKANSystem",
        ]),

    module(
        "SKANCommand", "Command/skan",
        [
            "SKANCommandServer", "SKANCommandOutbox", "SKANCommandReport", "SKANCommandModels", "SKANCommandRecords",
            "SKANCommandStores", "SKANCommandOutput", "SKANCore", "SKANSystem", "CSKANSystem",
        ]),
    module("SKANCommandProgram", "Command/Program", ["SKANCommand"]),
    module(
        "SKANFaultyCommand", "../Tests/Command/Faulty",
        [
            "SKANCommand", "SKANCommandStores", "SKANCommandOutput", "SKANStorePool", "SKANCore", "SKANSystem",
            "CSKANSystem",
        ]),

    module("SKANStoreLaws", "Stores/Kit/Laws", ["SKANCore", "SKANSystem", "CSKANSystem"]),
    module(
        "SKANStoreKitLibrary", "Stores/Kit/Library",
        ["SKANStoreLaws", "SKANCore", "SKANSystem", "CSKAN", "CSKANSystem"]),
    module("SKANStoreKit", "Stores/Kit/Swift", ["SKAN", "SKANStoreLaws", "SKANCore", "SKANSystem"]),
]

let moduleTests: [Target] = [
    tests("SKANCoreTests", "SKANCoreTests", of: ["SKANCore", "SKANEngine"]),
    tests("SKANTests", "SKANTests", of: ["SKAN", "SKANCore"]),
    tests(
        "SKANStoresTests", "SKANStoresTests",
        of: [
            "SKANCore", "SKAN", "SKANStorePool", "SKANStoreThreads", "SKANSystem", "SKANSQLite", "SKANPostgres",
            "SKANRedis", "SKANStoreKit",
        ]),
    tests("SKANHTTPTests", "HTTP/Swift", of: ["SKAN", "SKANCore", "SKANHTTP", "SKANHTTPClient", "SKANSystem"]),
    tests(
        "SKANPostbackTests", "Postback/Swift",
        of: ["SKAN", "SKANCore", "SKANPostback", "SKANPostbackVerification", "SKANPostbackReceiving"]),
    tests(
        "SKANPostgresTests", "Postgres/Swift",
        of: ["SKANPostgresRecords", "SKANStorePool", "SKANSystem", "SKANCore", "CSKANPQ"]),
    tests("SKANRedisTests", "Redis/Swift", of: ["SKANRedisRecords", "SKANCore", "CSKANHiredis"]),
    tests(
        "SKANCommandReportTests", "Command/Report",
        of: [
            "SKANCommandReport", "SKANCommandOutput", "SKANPostbackReceiving", "SKANPostbackVerification", "SKANCore",
            "SKANSystem", "CSKANSystem",
        ]),
    tests(
        "SKANCommandRecordsTests", "Command/Records",
        of: ["SKANCommandRecords", "SKANCommandStores", "SKANCore", "SKANSystem"]),
    tests(
        "SKANCommandModelsTests", "Command/Models",
        of: ["SKANCommandModels", "SKANCommandOutput", "SKANCore", "SKANSystem"]),
    tests("SKANCommandOutputTests", "Command/Output", of: ["SKANCommandOutput", "SKANCore", "CSKANSystem"]),
    tests(
        "SKANCommandStoresTests", "Command/Stores",
        of: ["SKANCommandStores", "SKANCommandOutput", "SKANStorePool", "SKANSystem", "SKANCore"]),
    tests(
        "SKANCommandOutboxTests", "Command/Outbox",
        of: [
            "SKANCommandOutbox", "SKANCommandStores", "SKANHTTPClient", "SKANPostbackReceiving",
            "SKANPostbackVerification", "SKANStorePool", "SKANCore", "SKANSystem", "CSKANSystem",
        ]),
    tests("SKANCommandServerTests", "Command/Server", of: ["SKANCommandServer", "SKANCore", "SKANSystem"]),
    tests("SKANStoreLawsTests", "StoreKit/Swift", of: ["SKANStoreLaws", "SKANCore", "SKANSystem"]),
]

let package = Package(
    name: "libskan",
    products: [
        .library(name: "SKAN", targets: ["SKAN"]),
        .library(name: "SKANHTTP", targets: ["SKANHTTP"]),
        .library(name: "SKANSQLite", targets: ["SKANSQLite"]),
        .library(name: "SKANPostgres", targets: ["SKANPostgres"]),
        .library(name: "SKANRedis", targets: ["SKANRedis"]),
        .library(name: "SKANPostback", targets: ["SKANPostback"]),
        .library(name: "SKANStoreKit", targets: ["SKANStoreKit"]),
    ],
    traits: [
        .default(enabledTraits: ["LocalizedErrors"]),
        .trait(
            name: "LocalizedErrors",
            description: "Foundation's localizedDescription of an error is its message. Links FoundationEssentials."),
    ],
    targets: modules + moduleTests
)
