import type { Desktop } from "../../../../main/bridge-types.ts";

export interface ExportFile {
  readonly file: File;
  /** Its path in the export's folder, or its name. */
  readonly path: string;
}

/** A file, a folder or several files that the user has chosen. */
export interface ChosenExport {
  /** Undefined if they are several. */
  readonly name: string | undefined;
  /** The path on this computer, in the desktop app. */
  readonly path: string | undefined;
  files(): Promise<ExportFile[]>;
}

type PathOf = Desktop["pathOf"] | undefined;

/** Reads `data` immediately: it is empty after the event. */
export function droppedExport(data: DataTransfer, pathOf: PathOf): ChosenExport {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return selectedExport(data.files, pathOf);
  const [only] = entries.length === 1 ? data.files : [];
  return {
    name: entries.length === 1 ? entries[0]?.name : undefined,
    path: (only && pathOf?.(only)) || undefined,
    files: async () => (await Promise.all(entries.map(filesIn))).flat(),
  };
}

/** Files of a file field. With `webkitdirectory`, they are those of a folder. */
export function selectedExport(list: FileList, pathOf: PathOf): ChosenExport {
  const files = [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
  const [first] = files;
  const [root] = first?.path.split("/") ?? [];
  const isOne = files.length === 1 || first?.file.webkitRelativePath !== "";
  const path = isOne && first ? pathOf?.(first.file) : undefined;
  return {
    name: isOne ? root : undefined,
    // The folder's own path: without those of its files.
    path:
      path && first && root !== undefined ? path.slice(0, path.length - first.path.length + root.length) : undefined,
    files: async () => files,
  };
}

async function filesIn(entry: FileSystemEntry): Promise<ExportFile[]> {
  if (!entry.isDirectory) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, path: entry.fullPath.replace(/^\//, "") }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: ExportFile[] = [];
  for (;;) {
    // Browsers return the entries in parts, and an empty part at the end.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return found;
    for (const inner of part) found.push(...(await filesIn(inner)));
  }
}
