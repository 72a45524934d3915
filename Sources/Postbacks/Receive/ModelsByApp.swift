/// Rules, "Models of apps": the models for each app that has models of its own, and those for all other apps.
package struct ModelsByApp<Model: PostbackModel>: Sendable {
    private let own: [(app: Int64, models: PostbackModels<Model>)]
    private let others: PostbackModels<Model>

    package init(_ others: PostbackModels<Model>, own: [(app: Int64, models: PostbackModels<Model>)] = []) {
        self.others = others
        self.own = own
    }

    package var isEmpty: Bool { own.isEmpty && others.isEmpty }

    func models(of app: Int64?) -> PostbackModels<Model> {
        for each in own where each.app == app { return each.models }
        return others
    }

    /// Whether an app's postbacks are decoded by the models for all other apps.
    func areOthers(for app: Int64) -> Bool {
        for each in own where each.app == app { return false }
        return !others.isEmpty
    }
}
