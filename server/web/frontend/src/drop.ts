// Files and folders that are dropped on the page. The browser would open a file, and leave the page.

const most = 10_000; // files of folders

interface Drops {
  /** Says where a drop would go: the element that is marked, or null. */
  mark(on: Element | null): void;
  /** Takes what was dropped. */
  take(files: File[], on: Element, folder: boolean): void;
}

/** Hears of files that are dropped anywhere. */
export function hearDrops(drops: Drops): void {
  const ours = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (!ours(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    drops.mark(event.target instanceof Element ? event.target : null);
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) drops.mark(null);
  });
  addEventListener(
    "drop",
    (event) => {
      drops.mark(null);
      if (!ours(event) || !event.dataTransfer) return;
      event.preventDefault();
      event.stopPropagation(); // the editor would put the text where the mouse is
      const on = event.target instanceof Element ? event.target : document.body;
      const plain = [...event.dataTransfer.files];
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
      const folder = entries.some((entry) => entry.isDirectory);
      if (!folder) drops.take(plain, on, false);
      else void filesOf(entries).then((files) => drops.take(files, on, true));
    },
    { capture: true },
  );
}

// filesOf returns the files of entries and of the folders among them, in the order of their names.
async function filesOf(entries: FileSystemEntry[]): Promise<File[]> {
  const files: File[] = [];
  const wait = [...entries].reverse();
  for (let entry = wait.pop(); entry && files.length < most; entry = wait.pop()) {
    if (entry.isFile) {
      const file = entry as FileSystemFileEntry;
      await new Promise<void>((done) => file.file((f) => done(void files.push(f)), () => done()));
      continue;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    const inside: FileSystemEntry[] = [];
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((done) => reader.readEntries(done, () => done([])));
      if (part.length === 0 || inside.length > most) break;
      inside.push(...part);
    }
    wait.push(...inside.filter((e) => !e.name.startsWith(".")).sort((a, b) => (a.name < b.name ? 1 : -1)));
  }
  return files;
}
