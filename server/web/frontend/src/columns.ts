// Places in texts of the engine, which counts bytes of UTF-8.

/** Finds places in a line by columns, which count bytes of UTF-8, starting at 1. */
export class Columns {
  private readonly text: string;
  private readonly skipped: number;

  // A byte order mark before the first line is not in a column.
  constructor(line: string, first: boolean) {
    this.skipped = first && line.startsWith("\uFEFF") ? 1 : 0;
    this.text = line.slice(this.skipped);
  }
  of(column: number): number {
    return this.skipped + place(this.text, column - 1);
  }
}

/** Returns the place in a text of a number of bytes in UTF-8. */
export function place(text: string, bytes: number): number {
  let at = 0;
  for (let size = 0; at < text.length && size < bytes; ) {
    const code = text.codePointAt(at) ?? 0;
    const isByte = code >= 0xdc80 && code <= 0xdcff; // which is not UTF-8: see bytes.ts
    size += code < 0x80 || isByte ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code < 0x10000 ? 1 : 2;
  }
  return at;
}
