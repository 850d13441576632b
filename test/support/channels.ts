import assert from "node:assert/strict";
import type { Transaction } from "../../server/storage/transaction.ts";
import type { Body, Chat, Params, Registered } from "./chat.ts";

export const channelOf = async (chat: Chat, name: string, as = "desdemona"): Promise<Record<string, any>> =>
  (await chat.as(as).get(`/streams/${chat.ids[name]}`))["stream"];

export async function makeChannel(
  chat: Chat,
  name: string,
  { by = "desdemona", subscribers, ...settings }: Params & { by?: string; subscribers?: string[] } = {},
): Promise<number> {
  const principals = (subscribers ?? [by]).map((who) => chat.ids[who]);
  const answer = await chat
    .as(by)
    .post("/users/me/subscriptions", { subscriptions: [{ name }], principals, ...settings });
  assert.equal(answer.result, "success", answer.msg);
  const id = (await chat.as(by).get("/get_stream_id", { stream: name }))["stream_id"];
  chat.ids[name] = id;
  return id;
}

export const change = (chat: Chat, who: string, channel: string, params: Params): Promise<Body> =>
  chat.as(who).patch(`/streams/${chat.ids[channel]}`, params);

export async function changed(chat: Chat, who: string, channel: string, params: Params): Promise<void> {
  const answer = await change(chat, who, channel, params);
  assert.equal(answer.result, "success", `${JSON.stringify(params)}: ${answer.msg}`);
  assert.equal(answer["ignored_parameters_unsupported"], undefined);
}

export async function refused(chat: Chat, who: string, channel: string, params: Params): Promise<Body> {
  const answer = await change(chat, who, channel, params);
  assert.deepEqual([answer.status, answer.result], [400, "error"], `${who}: ${JSON.stringify(params)}`);
  return answer;
}

/** A client's events in short form: `stream/update name`. */
export const heard = async (client: Registered): Promise<string[]> =>
  (await client.events()).map(({ type, op, property }) =>
    [[type, op].filter(Boolean).join("/"), property].filter(Boolean).join(" "),
  );

/** System groups by name. */
export async function groupIds(chat: Chat): Promise<(name: string) => number> {
  const { state } = await chat.register("desdemona", { fetch_event_types: ["realm_user_groups"] });
  const groups = state.realm_user_groups as { id: number; name: string }[];
  return (name) => groups.find((group) => group.name === name)?.id as number;
}

/** Writes organization settings without a permission check. */
export function writeSettings(tx: Transaction, settings: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(settings)) {
    tx.run(
      "INSERT INTO organization_settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      name,
      JSON.stringify(value),
    );
  }
}

export const setOrganization = (chat: Chat, settings: Record<string, unknown>): void =>
  chat.server.app.store.transact({ actor: null, action: "test" }, (tx) => writeSettings(tx, settings));

export function openToWeb(tx: Transaction): void {
  tx.run("INSERT INTO host_settings (name, value) VALUES ('WEB_PUBLIC_STREAMS_ENABLED', 'true')");
  writeSettings(tx, { enable_spectator_access: true });
}
