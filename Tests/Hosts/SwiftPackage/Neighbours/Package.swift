// swift-tools-version: 6.2
import PackageDescription

// Targets that well-known packages have, by names that a target of libskan might have had: SwiftPM wants each name once
// in a whole graph of packages.
let package = Package(
    name: "Neighbours",
    products: [
        .library(name: "CSQLite", targets: ["CSQLite"]),
        .library(name: "CSystem", targets: ["CSystem"]),
        .library(name: "HTTPClient", targets: ["HTTPClient"]),
    ],
    targets: [
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CSystem"),
        .target(name: "HTTPClient"),
    ]
)
