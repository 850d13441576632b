import assert from "node:assert/strict";
import test from "node:test";
import { CHANNEL_PROBES, MESSAGE_PROBES, type Place, type Probe, type Rights } from "../support/channel-probes.ts";
import { makeChannel, openToWeb } from "../support/channels.ts";
import { type Body, type Chat, startChat } from "../support/chat.ts";

const CHANNELS = {
  public: {},
  web: { is_web_public: true },
  shared: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
  "old web": { is_web_public: true },
  "old shared": { invite_only: true, history_public_to_subscribers: true },
};
type Kind = keyof typeof CHANNELS;

/**
 * Rights by person and kind of channel: s see it, c read new messages and list members, h read its history, 1 read the
 * first message, 2 read the last one, j subscribed, p post, a administer. Archived channels take no posts; there `p`
 * means that the error reveals their existence.
 */
const TABLE: Record<string, Record<"public" | "web" | "shared" | "protected" | "oldWeb", string>> = {
  // Subscribed from the start; since the second message; a guest subscribed from the start.
  hamlet: { public: "sch12jp", web: "sch12jp", shared: "sch12jp", protected: "sch12jp", oldWeb: "sch12jp" },
  late: { public: "sch12jp", web: "sch12jp", shared: "sch12jp", protected: "sch2jp", oldWeb: "sch12jp" },
  insider: { public: "sch12jp", web: "sch12jp", shared: "sch12jp", protected: "sch12jp", oldWeb: "sch12jp" },
  // A former subscriber; never subscribed; a guest who was never subscribed.
  former: { public: "sch12p", web: "sch12p", shared: "", protected: "", oldWeb: "sch12p" },
  outsider: { public: "sch12p", web: "sch12p", shared: "", protected: "", oldWeb: "sch12p" },
  guest: { public: "", web: "sch12", shared: "", protected: "", oldWeb: "" },
  // An organization administrator and a channel administrator, both unsubscribed.
  iago: { public: "sch12pa", web: "sch12pa", shared: "sa", protected: "sa", oldWeb: "sch12pa" },
  warden: { public: "sch12pa", web: "sch12pa", shared: "sa", protected: "sa", oldWeb: "sch12pa" },
  // A member of can_subscribe_group and one of can_add_subscribers_group.
  joiner: { public: "sch12p", web: "sch12p", shared: "sch12p", protected: "sc", oldWeb: "sch12p" },
  adder: { public: "sch12p", web: "sch12p", shared: "sch12p", protected: "sc", oldWeb: "sch12p" },
  // A guest gains nothing from membership in all these groups.
  pawn: { public: "", web: "sch12", shared: "", protected: "", oldWeb: "" },
  // Bots post where their owners may; the second bot's owner is subscribed nowhere.
  bot: { public: "sch12p", web: "sch12p", shared: "p", protected: "p", oldWeb: "sch12p" },
  stray: { public: "sch12p", web: "sch12p", shared: "", protected: "", oldWeb: "sch12p" },
};
const GUESTS = ["insider", "guest", "pawn"];

function rightsOf(who: string, kind: Kind, message: "1" | "2"): Rights {
  const archived = kind.startsWith("old ");
  const column = kind === "old web" ? "oldWeb" : (kind.replace("old ", "") as "public");
  const cell = TABLE[who]?.[column] ?? "";
  return {
    see: cell.includes("s"),
    content: cell.includes("c"),
    history: cell.includes("h"),
    message: cell.includes(message),
    subscribed: cell.includes("j"),
    post: cell.includes("p"),
    administer: cell.includes("a"),
    administrator: who === "iago",
    archived,
    guest: GUESTS.includes(who),
  };
}

interface Setting {
  chat: Chat;
  places: Record<Kind, { first: Place; last: Place }>;
}

async function settle(t: Parameters<typeof startChat>[0]): Promise<Setting> {
  const chat = await startChat(t, {
    unwatched: true,
    users: {
      late: {},
      insider: { role: 600 },
      former: {},
      outsider: {},
      guest: { role: 600 },
      warden: {},
      joiner: {},
      adder: {},
      pawn: { role: 600 },
      stray: { is_bot: true, bot_type: 1 },
    },
    prepare: (tx, ids) => {
      openToWeb(tx);
      tx.run("UPDATE users SET bot_owner_id = ? WHERE id = ?", ids.outsider as number, ids.stray as number);
    },
  });
  const group = (...names: string[]) => ({
    direct_members: [...names, "pawn"].map((who) => chat.ids[who]),
    direct_subgroups: [],
  });
  const places: Partial<Setting["places"]> = {};
  for (const [kind, settings] of Object.entries(CHANNELS) as [Kind, object][]) {
    const name = `${kind} room`;
    const channel = await makeChannel(chat, name, {
      subscribers: ["hamlet", "insider", "former"],
      can_administer_channel_group: group("warden"),
      can_subscribe_group: group("joiner"),
      can_add_subscribers_group: group("adder"),
      ...settings,
    });
    const say = async (content: string): Promise<Place> => {
      const { id } = await chat
        .as("hamlet")
        .post("/messages", { type: "channel", to: name, topic: `tea in ${kind}`, content });
      return { channel, name, message: id, topic: `tea in ${kind}` };
    };
    const first = await say(`early ${kind} words`);
    await chat.as("former").delete("/users/me/subscriptions", { subscriptions: [name] });
    await chat.as("hamlet").post("/users/me/subscriptions", { subscriptions: [{ name }], principals: [chat.ids.late] });
    places[kind] = { first, last: await say(`recent ${kind} words`) };
    if (kind.startsWith("old ")) assert.equal((await chat.as("iago").delete(`/streams/${channel}`)).result, "success");
  }
  return { chat, places: places as Setting["places"] };
}

const NOTHING: Place = { channel: 999_999, name: "no such room", message: 999_999, topic: "no such topic" };

/** A response without the IDs and names of the request. */
function shown({ status, ...body }: Body, place: Place): string {
  let text = JSON.stringify([status, body]);
  for (const value of [place.channel, place.message]) text = text.replaceAll(new RegExp(`\\b${value}\\b`, "g"), "#");
  return text.replaceAll(place.name, "NAME").replaceAll(place.topic, "TOPIC");
}

/** Responses for missing things by person and probe. Each is requested once, before a rate limit is reached. */
const answersOfNothing = new Map<string, string>();

async function check(
  { chat }: Setting,
  { who, probe, place, rights, about }: { who: string; probe: Probe; place: Place; rights: Rights; about: string },
): Promise<void> {
  const caller = chat.as(who);
  const answer = await probe.call(caller, place);
  const said = `${about}: ${answer.status} ${answer.msg}`;
  const found = answer.result === "success" && (probe.finds?.(answer, place) ?? true);
  assert.equal(found, probe.for(rights), said);
  if (found || probe.hints(rights)) return;
  const key = `${who} ${probe.name}`;
  const nothing = answersOfNothing.get(key) ?? shown(await probe.call(caller, NOTHING), NOTHING);
  answersOfNothing.set(key, nothing);
  assert.equal(shown(answer, place), nothing, `${said}: like what does not exist`);
}

test("access to channels and messages follows the permission table", async (t) => {
  const setting = await settle(t);
  for (const who of Object.keys(TABLE)) {
    for (const [kind, { first, last }] of Object.entries(setting.places) as [Kind, { first: Place; last: Place }][]) {
      for (const [message, place] of [
        ["1", first],
        ["2", last],
      ] as const) {
        if (message === "1" && kind !== "protected" && kind !== "shared") continue;
        const rights = rightsOf(who, kind, message);
        const about = (probe: Probe) => `${who}, ${kind}, message ${message}, ${probe.name}`;
        for (const probe of MESSAGE_PROBES) {
          // These two have the permission, so the probe would really delete the message.
          if (probe.name === "delete it" && (who === "hamlet" || (who === "iago" && rights.message))) continue;
          await check(setting, { who, probe, place, rights, about: about(probe) });
        }
        if (message === "1") continue;
        for (const probe of CHANNEL_PROBES) await check(setting, { who, probe, place, rights, about: about(probe) });
      }
    }
  }
});

test("events and /register hide channels from people without access", async (t) => {
  const { chat, places } = await settle(t);
  const kinds = ["public", "web", "shared", "protected"] as const;
  const clients = new Map(
    await Promise.all(
      Object.keys(TABLE).map(
        async (who) =>
          [
            who,
            await chat.register(who, {
              all_public_streams: true,
              include_subscribers: "true",
              client_capabilities: { archived_channels: true, empty_topic_name: true },
            }),
          ] as const,
      ),
    ),
  );
  for (const kind of kinds) {
    const { channel, name, message, topic } = places[kind].last;
    const ok = async (answer: Promise<Body>) => assert.equal((await answer).result, "success", (await answer).msg);
    const hamlet = chat.as("hamlet");
    await ok(
      hamlet.post("/messages", { type: "channel", to: channel, topic: `${topic} again`, content: `new ${kind} words` }),
    );
    await ok(hamlet.post(`/messages/${message}/reactions`, { emoji_name: "tada" }));
    await ok(hamlet.patch(`/messages/${message}`, { content: `edited ${kind} words` }));
    await ok(hamlet.patch(`/messages/${message}`, { topic: `moved in ${kind}` }));
    await ok(chat.as("warden").patch(`/streams/${channel}`, { description: `about ${name}` }));
    await ok(chat.as("warden").patch(`/streams/${channel}`, { new_name: `new ${name}` }));
    await ok(
      hamlet.post("/users/me/subscriptions", {
        subscriptions: [{ name: `new ${name}` }],
        principals: [chat.ids.othello],
      }),
    );
    await ok(hamlet.delete(`/messages/${message}`));
    await ok(chat.as("iago").delete(`/streams/${channel}`));
  }
  for (const [who, client] of clients) {
    const events = JSON.stringify(await client.events());
    const { last_event_id: _, ...state } = client.state;
    for (const kind of kinds) {
      const { see, content, subscribed } = rightsOf(who, kind, "2");
      const { channel, name } = places[kind].first;
      const tells = (text: string, word: string) => text.includes(word);
      assert.equal(tells(events, name), see, `${who} hears of ${name}`);
      assert.equal(tells(JSON.stringify(state["streams"]), name), see, `${who} is shown ${name}`);
      assert.equal(
        new RegExp(`"(new_)?stream_ids?":\\[?(\\d+,)*${channel}\\b`).test(events),
        see,
        `${who}, id of ${name}`,
      );
      if (!content) {
        for (const word of [`${kind} words`, `in ${kind}`]) assert.ok(!tells(events, word), `${who} hears ${word}`);
        for (const word of [`${kind} words`, `in ${kind}`])
          assert.ok(!tells(JSON.stringify(state), word), `${who} reads ${word}`);
      }
      if (subscribed) assert.ok(tells(events, `new ${kind} words`), who);
    }
  }
});
