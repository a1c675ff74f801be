// Makes a WebAssembly program of Go smaller. Go keeps for each function the files, the lines and the inlined calls of its code, so that a
// program that fails can print where. This package shows one line of what a program prints, so the tables are cleared: then the
// segments of data, which leave out zeroes, do not have them.
//
// The tables are those of Go 1.20 to 1.26 (internal/abi and runtime/symtab.go). Another form is an error, and the build fails.

const magic = [0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8]; // the table of functions, for code in bytes and pointers of 8 bytes
const functionSize = 44; // bytes of a function's record, before its lists
const dataSection = 11;
const mostSegments = 90_000; // engines take 100,000 at most

/** Returns a smaller program that does the same. */
export function shrink(program) {
  const sections = readSections(program);
  const at = sections.findIndex(({ id }) => id === dataSection);
  const memory = readData(sections[at].bytes);
  clear(memory);
  sections[at].bytes = writeData(memory);
  const parts = sections.flatMap(({ id, bytes }) => [Uint8Array.of(id), number(bytes.length), bytes]);
  return Buffer.concat([program.subarray(0, 8), ...parts]);
}

/** Clears what only traces need. */
function clear(memory) {
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
  const table = find(memory);
  const header = (i) => Number(view.getBigUint64(table + 8 + 8 * i, true));
  const [functions, , , names, units, files, tables, records] = [0, 1, 2, 3, 4, 5, 6, 7].map(header);
  if (!(names < units && units < files && files < tables && tables < records && table + records < memory.length)) {
    throw new Error('the table of functions is not of the form that this script knows: look at runtime/symtab.go of this version of Go');
  }
  const needed = new Uint8Array(records - tables); // marks the bytes of tables that stay
  const mark = (offset) => {
    if (offset > 0) {
      needed.fill(1, offset, endOfTable(memory, table + tables + offset) - table - tables);
    }
  };
  for (let i = 0; i < functions; i++) {
    const record = table + records + view.getUint32(table + records + 8 * i + 4, true);
    const name = table + names + view.getInt32(record + 4, true);
    mark(view.getUint32(record + 16, true)); // the size of the stack
    view.setUint32(record + 20, 0, true); // files
    view.setUint32(record + 24, 0, true); // lines
    const lists = view.getUint32(record + 28, true);
    for (let list = 0; list < lists; list++) {
      const place = record + functionSize + 4 * list;
      if (list === 2 || list === 3) {
        view.setUint32(place, 0, true); // inlined calls, and arguments that are printed
      } else {
        mark(view.getUint32(place, true));
      }
    }
    // The scheduler knows its own goroutines by the beginning of their names.
    const kept = memory.subarray(name, name + 8).toString() === 'runtime.' ? 8 : 0;
    memory.fill(0, name + kept, Math.max(name + kept, memory.indexOf(0, name)));
  }
  memory.fill(0, table + units, table + tables); // the names of files
  for (let i = 0; i < needed.length; i++) {
    if (needed[i] === 0) {
      memory[table + tables + i] = 0;
    }
  }
}

/** The place of the table of functions, which must be the only one. */
function find(memory) {
  const place = memory.indexOf(Buffer.from(magic));
  if (place < 0 || memory.indexOf(Buffer.from(magic), place + 1) >= 0) {
    throw new Error('the program has no table of functions, or several: look at the version of Go');
  }
  return place;
}

/** The end of a table of values by places in the code: pairs of numbers, up to a pair that begins with 0 and is not the first. */
function endOfTable(memory, at) {
  const skip = () => {
    while (memory[at++] >= 128);
  };
  for (let first = true; first || memory[at] !== 0; first = false) {
    skip();
    skip();
  }
  return at + 1;
}

function readSections(program) {
  const sections = [];
  for (let at = 8; at < program.length; ) {
    const id = program[at];
    const [size, start] = readNumber(program, at + 1);
    at = start + size;
    if (id !== 0) {
      sections.push({ id, bytes: program.subarray(start, at) }); // others are notes, such as the producer
    }
  }
  return sections;
}

/** The memory that segments of data fill. */
function readData(bytes) {
  const segments = [];
  let [count, at] = readNumber(bytes, 0);
  for (; count > 0; count--) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0x41) {
      throw new Error('a segment of data has no constant place');
    }
    const [offset, end] = readNumber(bytes, at + 2, true);
    const [size, start] = readNumber(bytes, end + 1); // after the end of the expression
    segments.push({ offset, data: bytes.subarray(start, start + size) });
    at = start + size;
  }
  const memory = Buffer.alloc(Math.max(...segments.map(({ offset, data }) => offset + data.length)));
  for (const { offset, data } of segments) {
    memory.set(data, offset);
  }
  return memory;
}

/** Segments of data that leave out runs of zeroes: short ones too, if the segments are not too many. */
function writeData(memory) {
  for (let run = 8; ; run *= 2) {
    const segments = split(memory, run);
    if (segments.length / 5 <= mostSegments) {
      return Buffer.concat([number(segments.length / 5), ...segments]);
    }
  }
}

/** The five parts of each segment, which ends before a run of zeroes. */
function split(memory, run) {
  const segments = [];
  for (let at = 0; at < memory.length; ) {
    while (memory[at] === 0) {
      at++;
    }
    let end = at; // after the last byte that is not zero
    for (let i = at; i < memory.length && i - end < run; i++) {
      if (memory[i] !== 0) {
        end = i + 1;
      }
    }
    if (end > at) {
      segments.push(Uint8Array.of(0, 0x41), number(at, true), Uint8Array.of(0x0b), number(end - at), memory.subarray(at, end));
    }
    at = Math.max(end, at + 1);
  }
  return segments;
}

/** A number in LEB128, and the place after it. */
function readNumber(bytes, at, signed = false) {
  let value = 0;
  let shift = 0;
  let byte;
  do {
    byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    shift += 7;
  } while (byte >= 128);
  return [signed && byte & 64 ? value - 2 ** shift : value, at];
}

/** A number of 0 or more in LEB128. */
function number(value, signed = false) {
  const bytes = [];
  do {
    bytes.push((value & 127) | 128);
    value = Math.floor(value / 128);
  } while (value > 0 || (signed && bytes.at(-1) & 64));
  bytes[bytes.length - 1] &= 127;
  return Uint8Array.from(bytes);
}
