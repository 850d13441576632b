import assert from "node:assert/strict";
import { join } from "node:path";
import type { Body, Chat } from "./chat.ts";
import { until } from "./patience.ts";

export const PUBLIC = 1;
export const WITH_CONSENT = 2;

/** The newest export, when it has ended. */
export const endedExport = (chat: Chat): Promise<Body> =>
  until(async () => {
    const answer = await chat.as("desdemona").get("/host/exports");
    assert.equal(answer.status, 200, answer.msg);
    return answer["exports"][0].state === "pending" ? undefined : answer["exports"][0];
  }, "the end of the export");

/** Exports the organization. `path`: the archive. */
export async function makeExport(chat: Chat, who: string, type: number): Promise<{ made: Body; path: string }> {
  const begun = await chat.as(who).post("/export/realm", { export_type: type });
  assert.equal(begun.status, 200, begun.msg);
  const made = await endedExport(chat);
  assert.deepEqual([made["id"], made["state"], made["failure"]], [begun["id"], "there", null]);
  return { made, path: join(chat.folder, "exports", made["name"]) };
}
