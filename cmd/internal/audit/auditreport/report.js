
"use strict";
for (const table of document.querySelectorAll("table.sort")) {
	const heads = [...table.tHead.rows[0].cells];
	heads.forEach((head, column) => {
		const button = document.createElement("button");
		button.textContent = head.textContent;
		button.type = "button";
		head.replaceChildren(button);
		button.addEventListener("click", () => {
			const number = head.classList.contains("n");
			const first = number ? "descending" : "ascending";
			const now = head.getAttribute("aria-sort");
			const order = now === first ? (number ? "ascending" : "descending") : first;
			for (const other of heads) other.removeAttribute("aria-sort");
			head.setAttribute("aria-sort", order);
			// A robot has a body of its own, with the row that opens below it. Other tables have one body.
			const robots = table.classList.contains("robots");
			const parent = robots ? table : table.tBodies[0];
			const value = part => (robots ? part.rows[0] : part).cells[column].dataset.sort;
			const sign = order === "ascending" ? 1 : -1;
			const parts = [...(robots ? table.tBodies : parent.rows)].sort((a, b) => sign * (number ? value(a) - value(b) : value(a).localeCompare(value(b))));
			parent.append(...parts);
		});
	});
}
// On paper, every number shows its evidence. The rows of robots without evidence are left out (report.css).
addEventListener("beforeprint", () => {
	for (const details of document.querySelectorAll("details:not([open])")) {
		details.open = true;
		details.dataset.closed = "";
	}
});
addEventListener("afterprint", () => {
	for (const details of document.querySelectorAll("details[data-closed]")) {
		details.open = false;
		delete details.dataset.closed;
	}
});
