import SKANCommandOutput
import SKANCore
import SKANSystem

extension Serving {
    /// Reads the configuration again on SIGHUP. The new configuration replaces the old one as a whole. If anything is
    /// wrong with it, or the store cannot keep its models, the old one stays.
    func reload(_ served: ServedConfiguration, _ intake: PostbackIntake?) {
        manager.tellReloading()
        var problems = ConfigurationProblems()
        guard let next = read(&problems), let users else { return refuseReload(problems) }
        do throws(Failure) { try users.models.keep(next.apps.served) } catch {
            problems.add(.complaint("--store", error.message))
            return refuseReload(problems)
        }
        next.apps.open(users)
        intake?.prepare(for: next)
        let old = served.current
        served.replace(next)
        reloads.add(isTaken: true)
        let changes = next.parts.changes(since: old.parts)
        log.event("configuration", "read again: \(changes)")
        manager.tellReady("configuration read again: \(changes)")
        logOlderModels(of: old.apps.served, since: next.apps.served, users.records)
    }

    private func refuseReload(_ problems: ConfigurationProblems) {
        reloads.add(isTaken: false)
        for problem in problems.list {
            log.event("configuration", "not read again, all stays as it was: \(problem.words)", .error)
        }
        manager.tellReady("configuration not read again: \(problems.list.first?.words ?? "")")
    }

    /// Logs, for each model that new users no longer get, how many users stay with it.
    private func logOlderModels(of old: [ServedModel], since new: [ServedModel], _ records: InstallRecords) {
        for each in old where !new.contains(where: { $0.model.version == each.model.version }) {
            let count = records.users(of: each.model.version)
            let users: Message = count.map { $0 == 1 ? "1 user stays" : "\($0) users stay" } ?? "its users stay"
            log.event("model", "\(users) with the older model \(each.name)")
        }
    }
}
