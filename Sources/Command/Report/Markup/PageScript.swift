/// The page's script: it shows the chosen horizon, filters by network, sorts, and folds long tables. Without it, tables
/// show all rows in their original order, and the horizon cannot be chosen.
var pageScript: HTML {
    """
    "use strict";
    (() => {
        const each = (what, inside) => [...(inside || document).querySelectorAll(what)];
        const controls = document.querySelector(".controls");
        const most = 10;

        function showHorizon(key) {
            for (const part of each("[data-h]")) part.hidden = part.dataset.h !== key;
        }

        function showNetwork(number) {
            for (const row of each("tr[data-n]")) {
                row.classList.toggle("off", number !== "" && row.dataset.n !== number);
            }
            each("table.sorts").forEach(fold);
        }

        function number(cell) {
            if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
            const text = cell.querySelector("span").firstChild.textContent.replace(/[,%]/g, "");
            return /^-?[0-9.]+$/.test(text) ? Number(text) : -Infinity;
        }

        function compare(one, other, place) {
            if (place === 0) return other.cells[0].textContent.localeCompare(one.cells[0].textContent);
            const [a, b] = [number(one.cells[place]), number(other.cells[place])];
            return a < b ? -1 : a > b ? 1 : 0;
        }

        function sort(table, head) {
            const isDown = head.getAttribute("aria-sort") !== "descending";
            for (const other of each("th[aria-sort]", table)) other.removeAttribute("aria-sort");
            head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
            const body = table.tBodies[table.tBodies.length - 1];
            const rows = [...body.rows].sort((one, other) => compare(one, other, head.cellIndex) * (isDown ? -1 : 1));
            body.append(...rows);
            fold(table);
        }

        function fold(table) {
            const body = table.tBodies[table.tBodies.length - 1];
            const rows = [...body.rows].filter((row) => !row.classList.contains("off"));
            const isOpen = table.classList.contains("open");
            rows.forEach((row, place) => row.classList.toggle("more", !isOpen && place >= most));
            const button = table.parentElement.querySelector(".fold");
            button.hidden = rows.length <= most;
            button.textContent = isOpen ? `Show ${most} rows` : `Show all ${rows.length} rows`;
        }

        function button(kind, act) {
            const made = document.createElement("button");
            made.type = "button";
            made.className = kind;
            made.addEventListener("click", act);
            return made;
        }

        for (const table of each("table.sorts")) {
            for (const head of each("thead th", table)) {
                const made = button("sort", () => sort(table, head));
                made.append(...[...head.childNodes].filter((part) => part.className !== "f"));
                head.prepend(made);
            }
            table.after(button("fold", () => {
                table.classList.toggle("open");
                fold(table);
            }));
            fold(table);
        }
        if (controls) {
            controls.hidden = false;
            for (const select of each("select", controls)) {
                select.addEventListener("change", () => {
                    (select.name === "horizon" ? showHorizon : showNetwork)(select.value);
                });
            }
        }
    })();

    """
}
