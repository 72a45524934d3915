// swift-tools-version: 6.2
import PackageDescription

// Programs with libskan's stores, in a package of their own. LIBSKAN_URL says where libskan is; dependents.sh sets it.
let package = Package(
    name: "Stores",
    dependencies: [
        .package(url: Context.environment["LIBSKAN_URL"] ?? "https://example.com/libskan.git", from: "0.2.0"),
        .package(path: "../Neighbours"),
    ],
    targets: [
        .executableTarget(
            name: "Beside",
            dependencies: [
                .product(name: "CSQLite", package: "Neighbours"), .product(name: "CSystem", package: "Neighbours"),
                .product(name: "HTTPClient", package: "Neighbours"), .product(name: "SKAN", package: "libskan"),
                .product(name: "SKANHTTP", package: "libskan"), .product(name: "SKANPostback", package: "libskan"),
                .product(name: "SKANPostgres", package: "libskan"), .product(name: "SKANRedis", package: "libskan"),
                .product(name: "SKANSQLite", package: "libskan"), .product(name: "SKANStoreKit", package: "libskan"),
            ]),
        .executableTarget(
            name: "Keeper",
            dependencies: [
                .product(name: "SKAN", package: "libskan"), .product(name: "SKANSQLite", package: "libskan"),
            ]),
    ]
)
