// A table of verdicts that one walks through with the arrow keys (the ARIA pattern "grid").

import { h } from "./dom";
import { t } from "./messages";

const maxShown = 2000; // characters of a heading: the browser lays out all of a line, however little of it is seen

function short(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

interface Column {
  name: string;
  /** How many robots more the column is for. */
  more: string;
  /** The names of all its robots. */
  title: string;
}

/** A grid of verdicts. It keeps its cells, and changes only those whose verdict has changed. */
export class Grid {
  readonly element: HTMLElement;
  private readonly table = h("table", { role: "grid", class: "matrix", "aria-label": t("Verdicts") });
  private readonly head = h("tr");
  private readonly corner = h("th", { scope: "col", class: "corner" }, t("Address"));
  private readonly body = h("tbody");
  private heads: HTMLTableCellElement[] = [];
  private rows: { head: HTMLElement; cells: HTMLTableCellElement[]; values: number[] }[] = [];
  private at: [number, number] = [0, 0];
  private selected: HTMLElement | undefined;

  constructor(private readonly open: (row: number, column: number) => void) {
    this.head.append(this.corner);
    this.table.append(h("thead", {}, this.head), this.body);
    this.table.addEventListener("keydown", (event) => this.key(event));
    this.table.addEventListener("click", (event) => {
      const cell = (event.target as Element).closest("td");
      if (cell) this.choose(cell);
    });
    this.element = h("div", { class: "scroll" }, this.table);
  }

  /** Names the column of addresses. */
  name(text: string): void {
    if (this.corner.textContent !== text) this.corner.textContent = this.corner.title = text;
  }

  /** Shows the verdicts: the line that decides times 16, plus 1 for open; -1 for an address that is no URL. */
  show(addresses: string[], columns: Column[], verdict: (row: number, column: number) => number): void {
    this.resize(addresses.length, columns.length);
    for (const [i, column] of columns.entries()) {
      const head = this.heads[i] as HTMLTableCellElement;
      const name = short(column.name);
      const text = column.more === "" ? name : `${name} ${column.more}`;
      if (head.textContent !== text) {
        head.replaceChildren(name);
        if (column.more) head.append(" ", h("span", { class: "more" }, column.more));
      }
      const title = short(column.title);
      if (head.title !== title) head.title = title;
    }
    const words = [t("closed"), t("open"), t("no URL")] as const;
    for (const [i, address] of addresses.entries()) {
      const row = this.rows[i];
      if (!row) continue;
      const shown = short(address);
      if (row.head.textContent !== shown) row.head.textContent = row.head.title = shown;
      for (let j = 0; j < columns.length; j++) {
        const value = verdict(i, j);
        if (row.values[j] === value) continue;
        row.values[j] = value;
        const cell = row.cells[j] as HTMLTableCellElement;
        const line = value >> 4;
        cell.className = value < 0 ? "none" : value & 1 ? "open" : "closed";
        const text = value < 0 ? words[2] : words[value & 1] + (line > 0 ? ` ${line}` : "");
        if (cell.firstChild) (cell.firstChild as Text).data = text;
        else cell.textContent = text;
      }
    }
  }

  /** Focuses the current cell. */
  focus(): void {
    this.cell(...this.at)?.focus();
  }

  private cell(row: number, column: number): HTMLTableCellElement | undefined {
    return this.rows[row]?.cells[column];
  }

  // resize makes and removes cells.
  private resize(rows: number, columns: number): void {
    while (this.heads.length > columns) this.heads.pop()?.remove();
    while (this.heads.length < columns) {
      const head = h("th", { scope: "col" });
      this.heads.push(head);
      this.head.append(head);
    }
    while (this.rows.length > rows) {
      this.rows.pop();
      this.body.lastElementChild?.remove();
    }
    while (this.rows.length < rows) {
      const head = h("th", { scope: "row" });
      this.body.append(h("tr", {}, head));
      this.rows.push({ head, cells: [], values: [] });
    }
    for (const row of this.rows) {
      while (row.cells.length > columns) {
        row.cells.pop()?.remove();
        row.values.length = Math.min(row.values.length, columns);
      }
      if (row.cells.length === columns) continue;
      const added = document.createDocumentFragment();
      while (row.cells.length < columns) {
        const cell = document.createElement("td");
        cell.tabIndex = -1;
        row.cells.push(cell);
        added.append(cell);
      }
      row.head.parentElement?.append(added);
    }
    this.table.setAttribute("aria-rowcount", String(rows + 1));
    this.table.setAttribute("aria-colcount", String(columns + 1));
    this.move(Math.min(this.at[0], rows - 1), Math.min(this.at[1], columns - 1), false);
  }

  // move makes a cell the one that Tab reaches.
  private move(row: number, column: number, focus = true): void {
    const before = this.cell(...this.at);
    if (before) before.tabIndex = -1;
    this.at = [Math.max(row, 0), Math.max(column, 0)];
    const cell = this.cell(...this.at);
    if (!cell) return;
    cell.tabIndex = 0;
    if (focus) cell.focus();
  }

  // select marks the cell that is explained.
  private select(row: number, column: number): void {
    this.selected?.removeAttribute("aria-selected");
    this.selected = this.cell(row, column);
    this.selected?.setAttribute("aria-selected", "true");
    this.open(row, column);
  }

  private choose(cell: HTMLTableCellElement): void {
    const row = this.rows.findIndex((r) => r.cells[0]?.parentElement === cell.parentElement);
    const column = this.rows[row]?.cells.indexOf(cell) ?? -1;
    if (row < 0 || column < 0) return;
    this.move(row, column);
    this.select(row, column);
  }

  private key(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLTableCellElement) || event.altKey || event.metaKey) return;
    const [row, column] = this.at;
    const last = [this.rows.length - 1, this.heads.length - 1] as const;
    const goals: Record<string, [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? last[0] : row, last[1]],
    };
    const goal = goals[event.key];
    if (goal) {
      event.preventDefault();
      this.move(Math.min(goal[0], last[0]), Math.min(goal[1], last[1]));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.select(row, column);
    }
  }
}
