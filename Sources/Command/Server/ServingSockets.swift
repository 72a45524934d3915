import CSKANSystem
package import SKANCommandOutput
import SKANCore

extension Serving {
    /// Uses the listening sockets that the service manager has opened, instead of the places that options name. Sockets
    /// with the name "admin" are for operators' pages.
    package func takeSockets() throws(CommandEnd) {
        var places: [ListeningPlace] = []
        var ofPages: [ListeningPlace] = []
        for (descriptor, name) in manager.sockets {
            guard system_takes_connections(descriptor) else {
                throw .complaint("LISTEN_FDS", "file \(descriptor): expected a stream socket that listens")
            }
            if name.elementsEqual(("admin" as StaticString).bytes) {
                ofPages.append(.inherited(descriptor))
            } else {
                places.append(.inherited(descriptor))
            }
        }
        if !places.isEmpty { http.places = places }
        if !ofPages.isEmpty { listenForPages(at: ofPages) }
    }

    package func listenForPages(at places: [ListeningPlace]) {
        var settings = admin ?? HTTPServerSettings()
        settings.connections = 64
        settings.places = places
        admin = settings
    }
}
