package import SKANCommandOutput
import SKANCore

extension RevenueModels {
    /// Throws if no apps were named for the postback's model, and the model has decoded a postback of another app
    /// before.
    @export(interface)
    package func check(_ observed: borrowing ObservedPostback) throws(CommandEnd) {
        guard let app = observed.app, let model = model(observed.model, of: app) else { return }
        guard let other = model.other(than: app) else { return }
        throw .complaint(Message(utf8: model.model.id), twoApps(other, app, "--model APP=FILE or APP:FROM=FILE"))
    }
}
