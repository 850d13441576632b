import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { usersByName } from "../../server/api/queries/users.ts";
import { indexSlice } from "../../server/search/indexing.ts";
import type { Reader } from "../../server/storage/transaction.ts";
import { type Body, type Chat, startChat } from "../support/chat.ts";
import { computedKeys } from "../support/derived-reads.ts";
import { sourceFiles } from "../support/import-rules.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Patterns of the keys that server/ passes to `derived` as first argument. */
function derivedKeys(): RegExp[] {
  const texts = sourceFiles(root)
    .filter((path) => path.startsWith("server/"))
    .map((path) => readFileSync(join(root, path), "utf8"));
  const keys = texts.flatMap((text) => [...text.matchAll(/\.derived\(\s*(["`])(.+?)\1/g)].map(([, , key]) => key!));
  return keys.map((key) => new RegExp(`^${key.replaceAll(/\$\{.+?\}/g, ".+")}$`));
}

/** Calls that together run every derived computation. */
async function useEverything(chat: Chat): Promise<void> {
  const owner = chat.as("desdemona");
  const guestsSeeLess = chat.server.app.store.reader.value<number>(
    "SELECT id FROM user_groups WHERE name = 'role:members'",
  );
  let key = "";
  const calls: (() => Promise<Body>)[] = [
    () => owner.post("/register"),
    () => owner.patch("/realm", { can_access_all_users_group: { new: guestsSeeLess } }),
    () => chat.as("polonius").get("/users"),
    () => owner.patch("/host/settings", { WEB_PUBLIC_STREAMS_ENABLED: true }),
    () => owner.patch("/realm", { enable_spectator_access: true }),
    () => owner.patch(`/streams/${chat.ids["general"]}`, { is_web_public: true }),
    () => chat.as("othello").post("/users/me/ntfy"),
    () => chat.as("hamlet").post("/messages", { type: "channel", to: "general", topic: "t", content: "@**Othello**" }),
    () => owner.get("/host/failing-addresses"),
    () => chat.anonymous("POST", "/register", { fetch_event_types: ["realm_user"] }),
    () => chat.as("hamlet").get("/messages", { anchor: "newest", num_before: 9, narrow: [["search", "othello"]] }),
    () => owner.get("/attachments"),
    () => owner.post("/invites/multiuse"),
    () => owner.get("/host/invitations"),
    async () => {
      const made = await chat.as("hamlet").post("/bots", { full_name: "Hook", short_name: "hook", bot_type: 2 });
      key = made["api_key"];
      return made;
    },
    () => chat.anonymous("POST", "/external/slack_incoming", { api_key: key, payload: '{"text":"x"}' }),
    () => chat.anonymous("GET", "/host/state", {}, { authorization: "Bearer host's own" }),
  ];
  for (const call of calls) {
    const answer = await call();
    assert.equal(answer.result, "success", answer.msg);
    chat.server.app.store.maintain(indexSlice);
  }
}

test("every derived value names the tables it reads", async (t) => {
  computedKeys.clear();
  const chat = await startChat(t, {
    channels: [{ name: "general", subscribers: ["hamlet", "othello"] }],
    operatorToken: "host's own",
    unwatched: true,
  });
  await useEverything(chat);
  const computed = [...computedKeys];
  const missed = derivedKeys().filter((pattern) => !computed.some((key) => pattern.test(key)));
  assert.deepEqual(missed, [], "derived values that were never computed here");
});

test("finds a derived value that reads an undeclared table", async (t) => {
  const { store } = (await startChat(t, { unwatched: true })).server.app;
  const derive = (tables: string[], compute: (reader: Reader) => unknown) => () =>
    store.reader.derived(`of ${tables}`, tables, compute);
  const readsTopics = (reader: Reader) => reader.all("SELECT id FROM topics WHERE name_key = ?", "t");
  assert.throws(derive(["messages"], readsTopics), /"of messages" does not name topics, read by: SELECT id/);
  assert.throws(
    derive(["users", "messages"], (reader) =>
      reader.value(
        "SELECT 1 FROM messages JOIN topics ON topics.id = topic_id WHERE sender_id IN (SELECT id FROM users)",
      ),
    ),
    /does not name topics/,
  );
  assert.throws(
    derive(["subscriptions/user 5"], () => store.reader.get("SELECT MAX(id) FROM messages")),
    /does not name messages/,
    "a read past the reader that it is given",
  );
  const derivesFromUsers = (reader: Reader) => usersByName(reader, "Othello");
  assert.throws(derive([], derivesFromUsers), /does not name users, read by: the derived value "user ids by name"/);
  derive(["users"], derivesFromUsers)();
  assert.throws(derive(["topics"], derivesFromUsers), /does not name users/, "one that was computed before");
  derive(["topics", "subscriptions/user 5"], (reader) => {
    readsTopics(reader);
    return reader.all("SELECT channel_id FROM subscriptions JOIN json_each(?) ON value = user_id", "[5]");
  })();
});
