// SPDX-License-Identifier: MIT
// Files out of a drop, those of dropped folders included.

function entryFiles(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return new Promise((resolve, reject) => (entry as FileSystemFileEntry).file((file) => resolve([file]), reject));
  return folderFiles((entry as FileSystemDirectoryEntry).createReader());
}

// A folder gives its entries some at a time, until it gives none.
async function folderFiles(reader: FileSystemDirectoryReader): Promise<File[]> {
  const found: File[] = [];
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const entry of entries) if (entry.isFile) found.push(...(await entryFiles(entry)));
  }
}

/** Must be called before the drop event ends: what it carries is gone after that. */
export function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.() ?? undefined);
  const plain = [...files];
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve(plain);
  return Promise.all(entries.filter((entry) => entry !== undefined).map(entryFiles)).then((all) => all.flat());
}
