// Texts of robots.txt keep the bytes of their files. A byte that is not UTF-8 is a character from U+DC80 to U+DCFF, half of a pair, which no
// text has otherwise: the editor and links hold it, and the engine and "Save" get the byte again.

const half = /(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/g;

/** Returns the text of bytes. A byte order mark stays. */
export function textOf(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    // it is not UTF-8
  }
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    let end = at + (lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
    if (lead < 0x80) while (end < bytes.length && end - at < 8192 && (bytes[end] ?? 0) < 0x80) end++;
    try {
      text += decoder.decode(bytes.subarray(at, end));
      at = end;
    } catch {
      text += String.fromCharCode(0xdc00 + lead);
      at++;
    }
  }
  return text;
}

/** Returns the bytes of a text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  if (!hasBytes(text)) return encoder.encode(text);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const found of text.matchAll(half)) {
    parts.push(encoder.encode(text.slice(at, found.index)), Uint8Array.of(found[0].charCodeAt(0) - 0xdc00));
    at = found.index + 1;
  }
  parts.push(encoder.encode(text.slice(at)));
  const all = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/** Reports whether a text has bytes that are not UTF-8. */
export function hasBytes(text: string): boolean {
  return text.search(half) >= 0;
}

/** Reports whether all lines of a text end with CR and LF. The editor has LF, and a file gets its ends again. */
export function isCRLF(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

const read = 500 * 1024; // bytes that Google and Bing read

/** Returns the line at which Google and Bing stop reading a text, or 0. */
export function lostAt(text: string): number {
  if (3 * text.length <= read) return 0;
  const bytes = bytesOf(text);
  if (bytes.length <= read) return 0;
  let line = 1;
  for (const byte of bytes.subarray(0, read)) if (byte === 10) line++;
  return line;
}
