import { readdir, stat, statfs } from "node:fs/promises";
import { z } from "zod";
import type { App } from "../../app.ts";
import { integer } from "../../http/params.ts";
import { runIteratorInSlices, type SlicedCall } from "../../http/run-in-slices.ts";
import type { Reader } from "../../storage/transaction.ts";
import { serverSample } from "../presenters/server-state.ts";
import { measureContents, storedContents } from "../presenters/storage-sizes.ts";
import { uploadSpaceUsed } from "../queries/attachments.ts";
import { heldContents, newerThan } from "../queries/backups.ts";
import { operatorSetting } from "../queries/operator-settings.ts";
import { ROLES } from "../queries/users.ts";
import { endpoint, forOwners } from "./endpoint.ts";

export const getOperatorState = endpoint({
  route: "GET /host/state",
  summary: "Get the server's state. With `after`, waits up to two seconds for a change.",
  who: "operator or administrator",
  bots: false,
  outsideApi: true,
  // Changes on the server determine how often a held poll returns, not the client.
  countsTowardsLimit: (fields) => !fields.has("after"),
  params: { after: integer().optional().describe("The caller's sample. The response waits for a newer one.") },
  response: serverSample,
  handle: async (call) => {
    const { app, params, viewer, isOperator } = call;
    const sample = await app.stateFeed.sampleAfter(params.after, (listener) => call.onGone(listener));
    const { host } = sample;
    return {
      ...sample,
      network: app.stateFeed.networkFor(call, sample.network),
      host: isOperator || viewer?.role === ROLES.owner ? host : null,
    };
  },
});

const storageSizes = z.object({
  measured_at: z.int().describe("Milliseconds since the epoch. Measured at most once a minute."),
  data_folder: z.string(),
  disk: z.object({ free_bytes: z.int(), total_bytes: z.int() }),
  files: z
    .object({
      database: z.int().describe("hearth.db, its checksums and a running checkpoint."),
      log: z.int().describe("The database log, including prepared segments."),
      uploads: z.int(),
      diagnostics: z.int().describe("The server's own log."),
    })
    .describe("Sizes in bytes."),
  memory_bytes: z.int().describe("Maximum memory for the database."),
  contents: storedContents,
  upload_quota: z.object({ used_bytes: z.int(), max_bytes: z.int().nullable() }),
});
type StorageSizes = z.output<typeof storageSizes>;

const MAX_AGE_MS = 60_000;
/** One measurement at a time, at most once a minute. */
const measured = new WeakMap<App, { at: number; sizes: Promise<StorageSizes> }>();

export const getOperatorStorage = endpoint({
  route: "GET /host/storage",
  summary: "Get stored data by kind and channel, and free disk space.",
  ...forOwners,
  response: storageSizes,
  handle: ({ app, reader }) => {
    const cached = measured.get(app);
    if (cached && app.monotonic() - cached.at < MAX_AGE_MS) return cached.sizes;
    const sizes = measure(app, reader);
    measured.set(app, { at: app.monotonic(), sizes });
    sizes.catch(() => measured.delete(app));
    return sizes;
  },
});

async function measure(app: App, reader: Reader): Promise<StorageSizes> {
  const { dataFolder, store } = app;
  // Other callers may wait for it, so it continues if the first one disconnects.
  const call: SlicedCall = { app, onGone: () => {} };
  const contents = await runIteratorInSlices(call, measureContents(reader));
  const disk = await statfs(dataFolder);
  const quota = operatorSetting(reader, "UPLOAD_QUOTA_MIB");
  return {
    measured_at: app.now(),
    data_folder: dataFolder,
    disk: { free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize },
    files: {
      database: await bytesOf(["db", "sums", "journal"].map((kind) => `${dataFolder}/hearth.${kind}`)),
      log: await bytesIn(`${dataFolder}/log`),
      uploads: contents.uploads.reduce((sum, { bytes }) => sum + bytes, 0),
      diagnostics: await bytesIn(app.log.files.folder),
    },
    memory_bytes: store.sizes.memory,
    contents,
    upload_quota: { used_bytes: uploadSpaceUsed(reader), max_bytes: quota === null ? null : quota * 1024 * 1024 },
  };
}

/** Sequential, because Node has few threads for files and the database log needs one. */
async function bytesOf(paths: readonly string[]): Promise<number> {
  let sum = 0;
  // A checkpoint may just have removed the file.
  for (const path of paths) sum += (await stat(path).catch(() => ({ size: 0 }))).size;
  return sum;
}

const bytesIn = async (folder: string): Promise<number> =>
  bytesOf((await readdir(folder).catch(() => [])).map((name) => `${folder}/${name}`));

export const getOldFolder = endpoint({
  route: "GET /host/old-folder",
  summary: "Get the folder from which the data was moved, and the changes since then.",
  ...forOwners,
  response: z.object({
    old: z
      .object({
        folder: z.string(),
        moved_at: z.int().describe("Milliseconds since the epoch."),
        messages: z.int().describe("Messages since the move. A move back loses them."),
        people: z.int().describe("People who joined since the move."),
        is_unchanged: z.boolean().describe("Whether nothing was written since the move."),
      })
      .nullable(),
  }),
  handle: ({ app, reader }) => {
    const found = app.oldFolder();
    if (!found) return { old: null };
    const { path, mark } = found;
    const { seq = 0, messageId = 0, userId = 0 } = mark.baseline ?? {};
    const { key_rotations: keyRotations } = heldContents(reader);
    const { messages, people } = newerThan(reader, { messageId, userId, keyRotations });
    return { old: { folder: path, moved_at: mark.at, messages, people, is_unchanged: app.store.seq === seq } };
  },
});
