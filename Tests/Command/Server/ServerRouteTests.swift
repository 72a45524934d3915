import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandServer

@Suite struct ServerRouteTests {
    private let site = HTTPServerSite(
        routes: [
            HTTPServerRoute("GET", "/one", name: "one") { _ in HTTPServerAnswer(200, nil, [], outcome: "one") },
            HTTPServerRoute("POST", "/many/*", name: "many") { _ in HTTPServerAnswer(200, nil, [], outcome: "many") },
        ], bodyBytes: 4, answered: { _, _, _, _ in })

    private func route(_ method: StaticString, _ path: StaticString) -> (place: Int?, refusal: HTTPRefusal?) {
        site.route(method.bytes, path.bytes)
    }

    @Test func aRouteIsFoundByItsPathAndMethod() {
        #expect(route("GET", "/one") == (0, nil))
        #expect(route("HEAD", "/one") == (0, nil))
        #expect(route("POST", "/many/x/y") == (1, nil))
        #expect(route("POST", "/many/") == (1, nil))
    }

    @Test func whatNoRouteTakesIsRefused() {
        #expect(route("GET", "/one/") == (nil, .notFound))
        #expect(route("POST", "/many") == (nil, .notFound))
        #expect(route("POST", "/one") == (0, .methodNotAllowed))
        #expect(route("HEAD", "/many/x") == (1, .methodNotAllowed))
    }

    private func answer(_ target: StaticString, length: StaticString?, _ parts: [StaticString]) -> HTTPServerAnswer {
        let request = IncomingRequest(target.bytes)
        request.begin(("GET" as StaticString).bytes, contentLength: length?.bytes, site)
        for part in parts { request.take(part.bytes, site) }
        return request.answer(("GET" as StaticString).bytes, site)
    }

    @Test func aBodyUpToTheLimitIsTaken() {
        #expect(answer("/one", length: "4", ["ab", "cd"]).status == 200)
        #expect(answer("/one", length: nil, ["ab", "cd", "e"]).status == 413)
        #expect(answer("/one", length: "5", []).status == 413)
        #expect(answer("/one", length: "99999999999999999999999", []).status == 413)
    }

    @Test func aRefusalNamesItself() {
        let refused = answer("/nowhere", length: nil, [])
        #expect(refused.status == 404 && refused.body == Array("Not Found\n".utf8))
        #expect(answer("/one?a=b", length: nil, []).status == 200)
    }
}

private func == (one: (place: Int?, refusal: HTTPRefusal?), other: (Int?, HTTPRefusal?)) -> Bool {
    one.place == other.0 && one.refusal == other.1
}
