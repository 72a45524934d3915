import SKANCore

/// The sites of the main server and of the separate server for operators' pages. If there is no separate server, the
/// main site has these pages too.
struct ServedSites {
    let site: HTTPServerSite
    let admin: HTTPServerSite
    let pools: [WorkPool]

    init(
        _ routes: [HTTPServerRoute], _ pages: OperatorPages, hasAdmin: Bool, bodyBytes: Int, _ log: ServerLog
    ) {
        pools = pages.pools
        let ofOperators = pages.routes
        let ofAll = hasAdmin ? routes : routes + ofOperators
        let metrics = pages.metrics
        metrics.begin(routes: (ofAll + (hasAdmin ? ofOperators : [])).map { $0.name })
        site = HTTPServerSite(routes: ofAll, pools: pages.pools, bodyBytes: bodyBytes, refused: log.refused) {
            place, request, answer, microseconds in
            metrics.add(route: place, outcome: answer.outcome, status: answer.status, microseconds: microseconds)
            log.request(place.map { ofAll[$0].name }, request, answer, microseconds: microseconds)
        }
        admin = HTTPServerSite(routes: ofOperators, bodyBytes: bodyBytes, refused: log.refused) {
            place, request, answer, microseconds in
            metrics.add(
                route: place.map { $0 + ofAll.count }, outcome: answer.outcome, status: answer.status,
                microseconds: microseconds)
            log.request(place.map { ofOperators[$0].name }, request, answer, microseconds: microseconds)
        }
    }
}
