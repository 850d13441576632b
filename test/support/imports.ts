import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "../../server/storage/store.ts";
import type { Reader } from "../../server/storage/transaction.ts";
import type { Body, Chat } from "./chat.ts";
import { until } from "./patience.ts";

export const fixturePath = (name: string): string =>
  fileURLToPath(new URL(`../imports/fixtures/${name}`, import.meta.url));

/** Sends a file of an export. */
export async function sendFile(chat: Chat, as: string, path: string, bytes: Uint8Array): Promise<Body> {
  const form = new FormData();
  form.set("path", path);
  form.set("file", new Blob([new Uint8Array(bytes)]), basename(path));
  const { email, key } = chat.as(as);
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
  const sent = await fetch(`${chat.url}/host/imports/current/files`, {
    method: "POST",
    body: form,
    headers: { authorization },
  });
  return { status: sent.status, ...((await sent.json()) as object) } as Body;
}

/** Waits until the current import has left its stage. */
export async function stageAfter(chat: Chat, stage: string): Promise<Body["current"]> {
  return until(async () => {
    const { current } = await chat.as("desdemona").get("/host/imports");
    return current?.stage === stage ? undefined : { current };
  }, `the stage after ${stage}`).then(({ current }) => current);
}

/** Uploads an export and waits for its preview. */
export async function previewOf(chat: Chat, file: string): Promise<Body> {
  const owner = chat.as("desdemona");
  assert.equal((await owner.post("/host/imports/current", { name: basename(file) })).result, "success");
  assert.equal((await sendFile(chat, "desdemona", basename(file), readFileSync(file))).result, "success");
  assert.equal((await owner.post("/host/imports/current/read")).result, "success");
  const current = await stageAfter(chat, "reading");
  assert.equal(current?.stage, "ready", current?.problem?.msg);
  return owner.get("/host/imports/current/preview");
}

/** Imports an export with these choices, and returns the import. */
export async function importFile(chat: Chat, file: string, choices: object = {}): Promise<Body> {
  const owner = chat.as("desdemona");
  const preview = await previewOf(chat, file);
  const chosen = JSON.stringify({ ...preview["choices"], ...choices });
  const started = await owner.post("/host/imports/current/start", { choices: chosen });
  assert.equal(started.result, "success", started.msg);
  const current = await stageAfter(chat, "writing");
  assert.equal(current, null, current?.problem?.msg);
  return (await owner.get("/host/imports"))["imports"].find(({ id }: { id: number }) => id === started["id"]);
}

/** Rows of all logged tables, without counters and the audit. */
export const tables = ({ server }: Chat): Record<string, unknown[]> => tablesOf(server.app.store.reader);

export function tablesOf(reader: Reader): Record<string, unknown[]> {
  const names = reader.values<string>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'message_search%'
     AND name NOT IN ('audit', 'message_chunks', 'event_queues', 'full_members_told', 'store_state') ORDER BY name`,
  );
  return Object.fromEntries(names.map((table) => [table, reader.all(`SELECT * FROM "${table}" ORDER BY 1, 2`)]));
}

/** The tables of a data folder that no server uses. */
export async function tablesIn(folder: string): Promise<Record<string, unknown[]>> {
  const store = await openStore({ folder });
  try {
    return tablesOf(store.reader);
  } finally {
    await store.close();
  }
}
