import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    func basisPart(_ basis: BroughtBasis) -> HTML {
        """
        <h2 id="basis">What the estimates rest on</h2>
        <ul>
        \(HTML.each(basis.sentences(installsStore)) { "<li>\($0)</li>\n" })</ul>
        <details><summary>Own installs behind each value</summary>\
        \(HTML.each(basis.valueSentences) { "<p>\($0)</p>\n" })</details>
        <p>Assumed:</p>
        <ul>
        \(HTML.each(BroughtBasis.assumptions) { "<li>\($0)</li>\n" })</ul>

        """
    }
}
