// swift-tools-version: 6.2
import PackageDescription

// A game's back end as a package of its own: it depends on libskan's branch, as README says for the time without version
// tags. LIBSKAN_URL says where from; dependents.sh sets it to a local clone. It leaves out the default traits, and with
// them Foundation.
let package = Package(
    name: "GameBackEnd",
    dependencies: [
        .package(
            url: Context.environment["LIBSKAN_URL"] ?? "https://example.com/libskan.git", branch: "main", traits: [])
    ],
    targets: [
        .executableTarget(name: "GameBackEnd", dependencies: [.product(name: "SKAN", package: "libskan")])
    ]
)
