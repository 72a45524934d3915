// swift-tools-version: 6.2
import PackageDescription

/// A module: its name, the folder of Sources that it is, what it is built on, and the libraries of the system that its own
/// code calls; other files stand beside the code in `without`. It may also use everything below what it is built on. make
/// reads these rows too.
func module(
    _ name: String, _ folder: String, _ needs: String, links: [String] = [], without: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies(needs), path: "Sources/" + folder, exclude: without,
        linkerSettings: links.map { .linkedLibrary($0) })
}

/// Other people's C as a module: headers, no code.
func headers(_ name: String, _ folder: String, of package: String, pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "Sources/System/" + folder, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// A product: a module that other packages may depend on.
func product(_ module: String) -> Product { .library(name: module, targets: [module]) }

/// A companion: a product that is also a C library. Include/skan/NAME.h declares its functions, all named skan_NAME_*, and
/// the module whose name ends in Library defines them. make reads these rows, builds libskan-NAME of each, and hands the
/// names, with the libraries that the modules link, to pkg-config, CMake and the wheel.
func companion(_ name: String, _ module: String) -> Product { product(module) }

/// Tests of modules, in Swift; other files stand in the folders `without`.
func tests(_ name: String, _ folder: String, _ needs: String, without: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies(needs), path: "Tests/" + folder, exclude: without)
}

/// Targets that may use all that is below what they need; each stands after its needs.
func stacked(_ targets: [Target]) -> [Target] {
    var below: [String: Set<String>] = [:]
    for target in targets {
        let needs = target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
        below[target.name] = needs.reduce(into: Set(needs)) { $0.formUnion(below[$1] ?? []) }
        target.dependencies = below[target.name, default: []].sorted().map { .byName(name: $0) }
    }
    return targets
}

/// Of names with spaces between them.
func dependencies(_ names: String) -> [Target.Dependency] {
    names.split(separator: " ").map { .byName(name: String($0)) }
}

// A subject has three storeys: what it does, C's face, Swift's face. The first two are compiled as Embedded Swift for
// libskan*.so, by the Makefile: no setting or trait of the package says so, for it would hold for Swift's face too, which
// cannot be compiled that way.
let modules: [Target] = [
    .systemLibrary(name: "CSKAN", path: "Include/skan"),
    module("CSKANSupport", "System/Support", "", links: ["json-c", "m"]),
    module("SKANCore", "Core/Rules", "CSKANSupport"),
    module("SKANEngine", "Core/Engine", "SKANCore"),
    module("SKANFace", "Core/Face", "SKANCore"),
    module("SKANLibrary", "Core/Library", "SKANEngine SKANFace CSKAN"),
    module("SKAN", "Core/Swift", "SKANEngine"),
    headers("CSKANSystem", "Libc", of: "libc6-dev"),
    module("SKANTruth", "Truth", "SKANCore CSKANSystem", without: ["CampaignTruth.md"]),
    module("SKANSystem", "System/Calls", "SKANCore CSKANSystem"),
    module("SKANCompanionLibrary", "Core/Companion", "SKANFace SKANSystem CSKAN"),
    module("SKANStorePool", "Stores/Pool", "SKANSystem"),
    module("SKANStoreLibrary", "Stores/Library", "SKANStorePool SKANCompanionLibrary"),
    module("SKANStoreThreads", "Stores/Swift", "SKAN SKANStorePool"),
    headers("CSKANSQLite3", "SQLite", of: "libsqlite3-dev"),
    module("SKANSQLiteRecords", "Stores/SQLite/Records", "SKANStorePool CSKANSQLite3", links: ["sqlite3"]),
    module("SKANSQLiteLibrary", "Stores/SQLite/Library", "SKANSQLiteRecords SKANStoreLibrary"),
    module("SKANSQLite", "Stores/SQLite/Swift", "SKANSQLiteRecords SKANStoreThreads"),
    headers("CSKANCurl", "Curl", of: "libcurl4-openssl-dev"),
    module("SKANHTTPClient", "HTTP/Client", "SKANSystem CSKANCurl", links: ["curl"]),
    module("SKANHTTPLibrary", "HTTP/Library", "SKANHTTPClient SKANCompanionLibrary"),
    module("SKANHTTP", "HTTP/Swift", "SKAN SKANHTTPClient"),
    headers("CSKANPQ", "PQ", of: "libpq-dev", pkgConfig: "libpq"),
    module("SKANPostgresRecords", "Stores/Postgres/Records", "SKANStorePool CSKANPQ", links: ["pq"]),
    module("SKANPostgresLibrary", "Stores/Postgres/Library", "SKANPostgresRecords SKANStoreLibrary"),
    module("SKANPostgres", "Stores/Postgres/Swift", "SKANPostgresRecords SKANStoreThreads"),
    headers("CSKANCrypto", "Crypto", of: "libssl-dev"),
    module("SKANPostbackVerification", "Postbacks/Verify", "SKANCore CSKANCrypto CSKANSystem", links: ["crypto"]),
    module("SKANPostbackReceiving", "Postbacks/Receive", "SKANPostbackVerification SKANEngine SKANSystem"),
    module("SKANPostbackLibrary", "Postbacks/Library", "SKANPostbackReceiving SKANStorePool SKANCompanionLibrary"),
    module("SKANPostback", "Postbacks/Swift", "SKANPostbackReceiving SKAN CSKANSupport"),
    headers("CSKANHiredis", "Hiredis", of: "libhiredis-dev"),
    headers("CSKANTLS", "TLS", of: "libssl-dev"),
    module(
        "SKANRedisRecords", "Stores/Redis/Records", "SKANStorePool CSKANHiredis CSKANTLS",
        links: ["hiredis", "ssl", "crypto"]),
    module("SKANRedisLibrary", "Stores/Redis/Library", "SKANRedisRecords SKANStoreLibrary"),
    module("SKANRedis", "Stores/Redis/Swift", "SKANRedisRecords SKANStoreThreads"),
    module("SKANCommandOutput", "Command/Output", "SKANSystem"),
    module(
        "SKANCommandStores", "Command/Stores",
        "SKANCommandOutput SKANEngine SKANSQLiteRecords SKANPostgresRecords SKANRedisRecords"),
    module("SKANCommandModels", "Command/Models", "SKANCommandOutput"),
    module("SKANCommandRecords", "Command/Records", "SKANCommandStores SKANPostbackReceiving"),
    module("SKANCommandRows", "Command/Rows", "SKANCommandStores SKANPostbackReceiving"),
    module("SKANCommandOutbox", "Command/Outbox", "SKANCommandRows SKANHTTPClient"),
    headers("CSKANMicrohttpd", "Microhttpd", of: "libmicrohttpd-dev"),
    headers("CSKANZlib", "Zlib", of: "zlib1g-dev"),
    module(
        "SKANCommandServer", "Command/Server", "SKANCommandOutbox SKANCommandModels CSKANMicrohttpd CSKANZlib",
        links: ["microhttpd", "z"]),
    module("SKANCommandReceive", "Command/Receive", "SKANCommandServer"),
    module("SKANCommandReport", "Command/Report", "SKANCommandRows SKANCommandModels SKANTruth"),
    module("SKANCommand", "Command/skan", "SKANCommandReceive SKANCommandRecords SKANCommandReport"),
    module("SKANCommandProgram", "Command/Program", "SKANCommand"),
    module("SKANFaultyCommand", "../Tests/Command/Faulty", "SKANCommand"),
    module("SKANSimulatedDevice", "../Tests/Truth/Device", "SKANCore CSKANSystem"),
    module(
        "SKANSimulatedWorld", "../Tests/Truth/World",
        "SKANSimulatedDevice SKANCommandRecords SKANCommandModels SKANEngine"),
    module("SKANStoreLaws", "Stores/Kit/Laws", "SKANSystem"),
    module("SKANStoreKitLibrary", "Stores/Kit/Library", "SKANStoreLaws CSKAN"),
    module("SKANStoreKit", "Stores/Kit/Swift", "SKAN SKANStoreLaws"),
    module(
        "SKANInstalled", "System/Installed",
        "SKANLibrary SKANSQLiteLibrary SKANHTTPLibrary SKANPostgresLibrary SKANRedisLibrary SKANPostbackLibrary "
            + "SKANStoreKitLibrary SKANCommandProgram"),
    module("SKANTestPrograms", "../Tests/Command/Programs", "SKANInstalled SKANFaultyCommand SKANSimulatedWorld"),
]

let products: [Product] = [
    product("SKAN"),
    companion("sqlite", "SKANSQLite"),
    companion("http", "SKANHTTP"),
    companion("postgres", "SKANPostgres"),
    companion("redis", "SKANRedis"),
    companion("postback", "SKANPostback"),
    product("SKANStoreKit"),
]

let moduleTests: [Target] = [
    tests("SKANCoreTests", "Core", "SKANEngine", without: ["Swift"]),
    tests("SKANTests", "Core/Swift", "SKAN"),
    tests("SKANStoresTests", "Stores", "SKANSQLite SKANPostgres SKANRedis SKANStoreKit", without: ["Library"]),
    tests("SKANHTTPTests", "HTTP", "SKANHTTP", without: ["Library"]),
    tests(
        "SKANPostbackTests", "Postbacks", "SKANPostback SKANPostbackReceiving",
        without: ["Field", "Library", "Reference"]),
    tests(
        "SKANCommandTests", "Command", "SKANCommand",
        without: ["Faulty", "Programs", "skan", "fill.c", "clock.c", "stores.py", "tools.py"]
            + ["Models", "Outbox", "Receive", "Records", "Report", "Server"].map { $0 + "/Program" }),
    tests("SKANTruthTests", "Truth/Estimates", "SKANTruth"),
    tests("SKANSimulatedDeviceTests", "Truth/DeviceTests", "SKANSimulatedDevice"),
    tests("SKANStoreKitTests", "Kit", "SKANStoreLaws"),
]

// Most imports of these modules are internal: there, `import` alone says so.
for target in modules where target.name.hasPrefix("SKANCommand") || target.name == "SKANTruth" {
    target.swiftSettings = [.enableUpcomingFeature("InternalImportsByDefault")]
}

// make names the modules that its tests need to be fast. The flag is unsafe in SwiftPM's terms: a package that always had
// it could not be depended on by its version.
let fast = (Context.environment["SKAN_MODULES_FOR_SPEED"] ?? "").split(separator: " ").map(String.init)
for target in modules where fast.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
}

let package = Package(
    name: "libskan",
    products: products,
    traits: [
        .default(enabledTraits: ["LocalizedErrors"]),
        .trait(name: "LocalizedErrors", description: "Errors tell their message; links FoundationEssentials."),
    ],
    targets: stacked(modules + moduleTests)
)
