// What an engine that reads files imports: the next bytes of a file, whenever it asks for them. Only a piece of a file is in memory.

import type { Host } from "../../../../integrations/npm/src/engine.js";

const pieceSize = 4 << 20; // bytes that are read from a file at a time
const pause = 100; // milliseconds between two reports of the progress

// Of workers, which the types of a page lack.
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

interface Piece {
  bytes: Uint8Array;
  /** The place in bytes of what the engine gets next. */
  at: number;
  /** The end of the piece in the file. */
  end: number;
}

/** Returns the functions for engines that read files. Told hears now and then how many bytes of all files were read. */
export function pieces(files: File[], told: (read: number) => void): Host {
  return (memory) => {
    const state = new Map<number, Piece>();
    let all = 0;
    let last = 0;
    // next returns a piece with bytes that the engine has not got, or null at the end.
    const next = (number: number, file: File): Piece | null => {
      const old = state.get(number);
      if (old && old.at < old.bytes.length) return old;
      const begin = old?.end ?? 0;
      const end = Math.min(begin + pieceSize, file.size);
      const bytes = new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(begin, end)));
      const piece = { bytes, at: 0, end };
      state.set(number, piece);
      return bytes.length > 0 ? piece : null;
    };
    return {
      read(number = 0, at = 0, size = 0) {
        const file = files[number];
        if (!file) return -1;
        try {
          const piece = next(number, file);
          if (!piece) {
            told(all);
            return 0;
          }
          const given = piece.bytes.subarray(piece.at, piece.at + (size >>> 0));
          memory().set(given, at >>> 0);
          piece.at += given.length;
          all += given.length;
          const now = performance.now();
          if (now - last > pause) {
            last = now;
            told(all);
          }
          return given.length;
        } catch {
          return -1; // the file was changed, moved, or taken away
        }
      },
    };
  };
}
