/// The rules of one window.
package struct ModelWindow: Sendable {
    /// The rules that decide the fine value, and also the coarse one if there are no coarse rules.
    package let list: RuleList
    /// Window 0 only: the rules that decide the coarse value separately from the fine one; nil if the document has
    /// none.
    package let coarseList: RuleList?
    /// Finds the winning rule of `list`.
    let index: RuleIndex
    /// Finds the winning rule of `coarseList`; nil if there is none.
    let coarseIndex: RuleIndex?

    init(_ rules: IndexedRules, coarse: IndexedRules?) {
        list = rules.list
        index = rules.index
        coarseList = coarse?.list
        coarseIndex = coarse?.index
    }

    package var rules: [ModelRule] { list.rules }
    package var coarseRules: [ModelRule] { coarseList?.rules ?? [] }

    /// Whether at least one rule of the window has a condition on an axis for which `isAsked` is true.
    package func asks(_ isAsked: (ModelAxis) -> Bool) -> Bool {
        list.conditions.contains { isAsked($0.axis) } || coarseList?.conditions.contains { isAsked($0.axis) } ?? false
    }

    package var asksRevenue: Bool { asks { $0.revenue != nil } }
}

struct IndexedRules {
    let list: RuleList
    let index: RuleIndex
}
