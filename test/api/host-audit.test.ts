import assert from "node:assert/strict";
import test from "node:test";
import { type AuditAction, type AuditChange, recordAudit } from "../../server/api/actions/audit.ts";
import { OPERATOR_SETTINGS } from "../../server/api/queries/operator-settings.ts";
import { AUDIT_SENTENCES } from "../../server/locales/audit-words.ts";
import { settingsTexts as german } from "../../server/locales/de/settings.ts";
import { operatorSettingTexts } from "../../server/locales/en/operator-settings.ts";
import { settingsTexts as english } from "../../server/locales/en/settings.ts";
import { userSettingTexts } from "../../server/locales/en/user-settings.ts";
import { type Chat, startChat } from "../support/chat.ts";
import { until } from "../support/patience.ts";

function change(chat: Chat, count: number): void {
  record(
    chat,
    Array.from({ length: count }, (_, number) => ({
      action: "reorder profile fields",
      target: "organization",
      before: [number],
      after: [number + 1],
    })),
  );
}

const record = (chat: Chat, changes: readonly AuditChange[]): void =>
  chat.server.app.store.transact({ actor: 1, action: "test", origin: "api" }, (tx) => {
    for (const one of changes) recordAudit(tx, chat.user("desdemona"), one);
  });

const actions = (answer: Record<string, any>) => answer["entries"].map(({ action }: { action: string }) => action);

test("owner and operator read the audit", async (t) => {
  const chat = await startChat(t, { unwatched: true, operatorToken: "operator's own" });
  change(chat, 1);
  const now = Date.now();
  const operator = { authorization: "Bearer operator's own" };
  await chat.anonymous("PATCH", "/host/settings", { INVITATION_LINK_VALIDITY_MINUTES: 60 }, operator);
  for (const answer of [
    await chat.as("desdemona").get("/host/audit", { limit: 2 }),
    await chat.anonymous("GET", "/host/audit", { limit: 2 }, operator),
  ]) {
    assert.equal(answer["has_more"], true);
    const [setting, order] = answer["entries"];
    const { id, at, ...rest } = setting;
    assert.deepEqual(rest, {
      actor: { user_id: 1, full_name: "Desdemona" },
      origin: "desktop",
      action: "change host setting",
      target: "host setting INVITATION_LINK_VALIDITY_MINUTES",
      before: 14_400,
      after: 60,
      target_name: null,
      act_id: id,
    });
    assert.equal(id, order.id + 1);
    assert.ok(Math.abs(at - now) < 60_000);
    assert.deepEqual([order.before, order.after, order.origin], [[0], [1], "api"]);
  }
});

test("audit pages join without gaps", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  change(chat, 300);
  const owner = chat.as("desdemona");
  assert.deepEqual(actions(await owner.get("/host/audit")).length, 50);
  const all: number[] = [];
  for (let before: number | undefined; ; ) {
    const { entries, has_more } = await owner.get("/host/audit", { limit: 200, before });
    all.push(...entries.map(({ id }: { id: number }) => id));
    if (!has_more) break;
    before = all.at(-1) as number;
  }
  const ids = chat.server.app.store.reader.all<{ id: number }>("SELECT id FROM audit ORDER BY id DESC");
  assert.deepEqual(
    all,
    ids.map(({ id }) => id),
  );
  const [first, second] = [all.at(-1) as number, all.at(-2) as number];
  assert.deepEqual(await owner.get("/host/audit", { before: first }).then(actions), []);
  const last = await owner.get("/host/audit", { before: second, limit: 1 });
  assert.deepEqual([actions(last), last["has_more"]], [["create organization"], false]);
  assert.deepEqual([last["entries"][0].actor, last["entries"][0].origin], [null, "server"]);
});

test("people and channels appear under their current names", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [{ name: "stage" }] });
  record(chat, [
    { action: "change password", target: `user ${chat.user("hamlet").id}` },
    { action: "archive channel", target: `channel ${chat.ids["stage"] as number}`, before: { name: "stage" } },
    { action: "change password", target: "user 9999" },
    { action: "reorder profile fields", target: "organization", before: [1], after: [2] },
  ]);
  const rename = (sql: string, name: string) =>
    chat.server.app.store.transact({ actor: 1, action: "test" }, (tx) => void tx.run(sql, chat.ids[name] as number));
  rename("UPDATE users SET full_name = 'Prince Hamlet' WHERE id = ?", "hamlet");
  const { entries } = await chat.as("desdemona").get("/host/audit", { limit: 4 });
  const names = entries.map((entry: { target_name: string }) => entry.target_name);
  assert.deepEqual(names, [null, null, "stage", "Prince Hamlet"]);
});

test("the server state names recent changes by their current names", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const owner = chat.as("desdemona");
  const newest = async () => {
    const { result, msg, host } = await owner.get("/host/state");
    assert.equal(result, "success", msg);
    return host.audit.map(({ target_name }: { target_name: string | null }) => target_name);
  };
  await owner.post("/user_groups/create", { name: "crew", description: "", members: [chat.ids["hamlet"]] });
  await owner.post("/channel_folders/create", { name: "plays", description: "" });
  const before = await newest();
  assert.deepEqual(before.slice(0, 2), ["plays", "crew"]);
  const { user_groups } = await owner.get("/user_groups");
  const crew = user_groups.find(({ name }: { name: string }) => name === "crew");
  assert.equal((await owner.patch(`/user_groups/${crew.id}`, { name: "band" })).result, "success");
  // A sample is valid for a moment.
  const names = await until(async () => {
    const now = await newest();
    return now[0] === "band" ? now : undefined;
  }, "a newer sample");
  assert.deepEqual(names.slice(0, 3), ["band", "plays", "band"]);
});

test("the audit filters by every field", async (t) => {
  let now = 1_800_000_000_000;
  const chat = await startChat(t, { unwatched: true, operatorToken: "operator's own", now: () => now });
  const operator = { authorization: "Bearer operator's own" };
  const role = (name: string, to: number) => chat.as("desdemona").patch(`/users/${chat.ids[name]}`, { role: to });
  assert.equal((await role("hamlet", 300)).result, "success");
  now += 1000;
  assert.equal((await role("othello", 300)).result, "success");
  now += 1000;
  assert.equal((await chat.as("iago").patch(`/users/${chat.ids["hamlet"]}`, { role: 400 })).result, "success");
  await chat.anonymous("PATCH", "/host/settings", { INVITATION_LINK_VALIDITY_MINUTES: 60 }, operator);
  const hamlet = `user ${chat.ids["hamlet"]}`;
  const found = async (params: Record<string, unknown>) =>
    (await chat.as("desdemona").get("/host/audit", params))["entries"].map(
      ({ actor, action, target }: { actor: { user_id: number }; action: string; target: string }) =>
        `${actor?.user_id} ${action} ${target}`,
    );
  const [owner, iago] = [chat.ids["desdemona"], chat.ids["iago"]];
  const roles = [
    `${iago} change role ${hamlet}`,
    `${owner} change role user ${chat.ids["othello"]}`,
    `${owner} change role ${hamlet}`,
  ];
  assert.deepEqual(await found({ action: "change role" }), roles);
  assert.deepEqual(await found({ action: "change role", actor_id: iago }), roles.slice(0, 1));
  assert.deepEqual(await found({ action: "change role", target: hamlet }), [roles[0], roles[2]]);
  assert.deepEqual(await found({ action: "change role", since: now - 1000, until: now }), roles.slice(1, 2));
  const desktop = [`${owner} change host setting host setting INVITATION_LINK_VALIDITY_MINUTES`];
  assert.deepEqual(await found({ origin: "desktop" }), desktop);
  assert.deepEqual(await found({ actor_id: 9999 }), []);
  for (const params of [{ actor_id: 0 }, { origin: "elsewhere" }, { since: -1 }, { until: "noon" }]) {
    const answer = await chat.as("desdemona").get("/host/audit", params);
    assert.equal(answer.status, 400);
    assert.match(answer.msg, new RegExp(Object.keys(params)[0] as string));
  }
});

test("other people and invalid filters are rejected", async (t) => {
  const users = { clown: { is_bot: true, bot_type: 1 as const, role: 100 as const } };
  const chat = await startChat(t, { unwatched: true, users });
  for (const name of ["iago", "hamlet", "polonius", "bot", "clown"]) {
    const answer = await chat.as(name).get("/host/audit");
    assert.equal(answer.status, 400, name);
    assert.equal(answer["entries"], undefined);
  }
  assert.equal((await chat.anonymous("GET", "/host/audit")).status, 401);
  for (const params of [{ before: 0 }, { before: "new" }, { limit: 0 }, { limit: 201 }, { limit: "all" }]) {
    const answer = await chat.as("desdemona").get("/host/audit", params);
    assert.equal(answer.status, 400);
    assert.match(answer.msg, new RegExp(Object.keys(params)[0] as string));
  }
});

async function csv(chat: Chat, name: string, params: Record<string, string> = {}): Promise<string> {
  const { email, key } = chat.as(name);
  const response = await fetch(`${chat.url}/host/audit/csv?${new URLSearchParams(params)}`, {
    headers: { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}` },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.match(response.headers.get("content-disposition") ?? "", /^attachment; filename="hearth-audit-[\d-]+\.csv"$/);
  return response.text();
}

test("all changes of one request are one audit entry", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const owner = chat.as("desdemona");
  assert.equal((await owner.patch("/realm", { name: "Cyprus", description: "An island" })).result, "success");
  const ids = [chat.ids["hamlet"], chat.ids["othello"]];
  const subscribed = await owner.post("/users/me/subscriptions", {
    subscriptions: [{ name: "stage" }],
    principals: ids,
  });
  assert.equal(subscribed.result, "success", subscribed.msg);
  const { acts, names, has_more } = await owner.get("/host/audit/acts", { limit: 2 });
  assert.equal(has_more, true);
  const [channel, organization] = acts;
  const changes = ({ more, ...first }: any) =>
    [first, ...more].map(({ action, target }: any) => `${action}: ${target}`);
  assert.deepEqual(changes(channel), [
    `create channel: channel ${channel.target.slice(8)}`,
    `subscribe users: channel ${channel.target.slice(8)}`,
  ]);
  assert.deepEqual(changes(organization), [
    "change organization setting: organization setting description",
    "change organization setting: organization setting name",
  ]);
  assert.deepEqual([organization.before, organization.after], ["", "An island"]);
  assert.deepEqual([organization.more[0].before, organization.more[0].after], ["Venice", "Cyprus"]);
  assert.deepEqual(organization.more[0].act_id, organization.id);
  assert.equal(names.users[ids[0] as number], "Hamlet");
  assert.equal(names.channels[channel.target.slice(8)], "stage");
  const older = await owner.get("/host/audit/acts", { before: organization.id, limit: 200 });
  assert.equal(older.has_more, false);
  assert.deepEqual(older["acts"].at(-1).action, "create organization");
});

test("transactions of one request share an entry, failures leave none", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const act = {};
  const { store } = chat.server.app;
  const entry = { action: "change password", target: `user ${chat.user("hamlet").id}` } as const;
  const about = { actor: 1, action: "test", act };
  assert.throws(() =>
    store.transact(about, (tx) => {
      recordAudit(tx, null, entry);
      throw new Error("a test failed");
    }),
  );
  for (let again = 0; again < 3; again++) store.transact(about, (tx) => recordAudit(tx, null, entry));
  store.transact({ actor: 1, action: "test" }, (tx) => recordAudit(tx, null, entry));
  const { acts } = await chat.as("desdemona").get("/host/audit/acts", { limit: 2 });
  assert.deepEqual(
    acts.map(({ more }: { more: unknown[] }) => more.length),
    [0, 2],
  );
});

test("finds entries by actor, action, target, time and words", async (t) => {
  let now = 1_800_000_000_000;
  const chat = await startChat(t, { unwatched: true, now: () => now, operatorToken: "operator's own" });
  const owner = chat.as("desdemona");
  const done = async (answer: Promise<{ result: string; msg: string }>) => {
    const { result, msg } = await answer;
    assert.equal(result, "success", msg);
    now += 1000;
  };
  const begin = now;
  await done(owner.patch(`/users/${chat.ids["hamlet"]}`, { role: 300 }));
  await done(
    owner.post("/users/me/subscriptions", {
      subscriptions: [{ name: "stage" }],
      principals: [chat.ids["othello"]],
    }),
  );
  const stage = (await owner.get("/get_stream_id", { stream: "stage" }))["stream_id"];
  await done(owner.post("/user_groups/create", { name: "crew", description: "", members: [chat.ids["hamlet"]] }));
  await done(owner.post("/invites/multiuse", { stream_ids: [stage] }));
  await done(chat.as("iago").patch(`/users/${chat.ids["othello"]}`, { role: 300 }));
  const operator = { authorization: "Bearer operator's own" };
  await done(chat.anonymous("PATCH", "/host/settings", { INVITATION_LINK_VALIDITY_MINUTES: 60 }, operator));
  const found = async (params: Record<string, unknown>) =>
    (await owner.get("/host/audit/acts", params))["acts"].map(({ action }: { action: string }) => action);
  const all = [
    "change host setting",
    "change role",
    "create invitation link",
    "create user group",
    "create channel",
    "change role",
  ];
  assert.deepEqual(await found({ since: begin }), all);
  assert.deepEqual(await found({ since: begin, until: begin + 1 }), ["change role"]);
  assert.deepEqual(await found({ since: begin, actor_id: chat.ids["iago"] }), ["change role"]);
  assert.deepEqual(await found({ since: begin, actor_id: 0 }), []);
  assert.deepEqual(await found({ actor_id: 0, text: "venice" }), ["create organization"]);
  assert.deepEqual(await found({ since: begin, origin: "desktop" }), ["change host setting"]);
  assert.deepEqual(await found({ since: begin, kind: "channels" }), ["create channel"]);
  assert.deepEqual(await found({ since: begin, kind: "groups" }), ["create user group"]);
  assert.deepEqual(await found({ since: begin, user_id: chat.ids["hamlet"] }), ["create user group", "change role"]);
  // She creates the group, so its settings contain her.
  assert.deepEqual(await found({ since: begin, user_id: chat.ids["desdemona"] }), ["create user group"]);
  assert.deepEqual(await found({ since: begin, user_id: chat.ids["othello"] }), ["change role", "create channel"]);
  assert.deepEqual(await found({ since: begin, channel_id: stage }), ["create invitation link", "create channel"]);
  assert.deepEqual(await found({ since: begin, text: "HAMLET" }), ["create user group", "change role"]);
  assert.deepEqual(await found({ since: begin, text: "crew" }), ["create user group"]);
  assert.deepEqual(await found({ since: begin, text: "nothing of this name" }), []);
  const wrong = [{ actor_id: -1 }, { kind: "gossip" }, { user_id: 0 }, { channel_id: 0 }, { text: "x".repeat(201) }];
  for (const params of [...wrong, { since: -1 }, { until: -1 }, { origin: "else" }, { before: 0 }, { limit: 201 }]) {
    const answer = await owner.get("/host/audit/acts", params);
    assert.equal(answer.status, 400);
    assert.match(answer.msg, new RegExp(Object.keys(params)[0] as string));
  }
});

test("finds entries by UI texts in each language", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [{ name: "stage" }] });
  const group = "can_add_custom_emoji_group";
  const changes: AuditChange[] = [
    { action: "change organization setting", target: `organization setting ${group}`, before: 1, after: 2 },
    { action: "change default setting", target: "default setting enter_sends", before: false, after: true },
    { action: "change host setting", target: "host setting MDNS", before: true, after: false },
    {
      action: "change channel",
      target: `channel ${chat.ids["stage"] as number}`,
      before: { can_send_message_group: 1, name: "stage" },
      after: { can_send_message_group: 2, name: "stage" },
    },
    { action: "change profile", target: `user ${chat.user("hamlet").id}`, before: { 4: "" }, after: { 4: "he" } },
  ];
  for (const change of changes) record(chat, [change]); // one entry each
  const found = async (text: string) => {
    const { acts } = await chat.as("desdemona").get("/host/audit/acts", { text });
    return acts.map(({ action }: { action: string }) => action);
  };
  const [label, germanLabel] = [english, german].map((texts) => texts.organizationPermissions.who[group].label) as [
    string,
    string,
  ];
  assert.deepEqual(await found(label.toLowerCase()), ["change organization setting"]);
  assert.deepEqual(await found(germanLabel.replace("?", "")), ["change organization setting"]);
  assert.deepEqual(await found(group), ["change organization setting"]);
  assert.deepEqual(await found(`for new people: ${userSettingTexts.userSettings.enter_sends.label}`), [
    "change default setting",
  ]);
  assert.deepEqual(await found(operatorSettingTexts.operatorSettings.MDNS.audit), ["change host setting"]);
  assert.deepEqual(await found("Desdemona changed the channel stage: Post"), ["change channel"]);
  assert.deepEqual(await found("Post: Nobody → Owners; Name"), []); // unchanged
  assert.deepEqual(await found("hamlet geändert"), ["change profile"]);
  assert.deepEqual(await found(label.replace("emoji", "guests")), []);
  const inWords = async (text: string) => (await csv(chat, "desdemona", { text })).split("\r\n")[1]?.split(",")[6];
  assert.equal(await inWords(group), `Desdemona changed a setting of the organization: ${label}: Nobody → Owners`);
  assert.equal(await inWords("stage: Post"), "Desdemona changed the channel stage: Post: Nobody → Owners");
  assert.equal(await inWords("hamlet geändert"), "Desdemona changed the profile of Hamlet: field 4: nothing → he");
});

test("search and table show values as the UI does", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [{ name: "stage" }] });
  const owner = chat.as("desdemona");
  const stage = chat.ids["stage"];
  const { channel_folder_id: folder } = await owner.post("/channel_folders/create", { name: "House", description: "" });
  const { user_groups } = await owner.get("/user_groups");
  const moderators = user_groups.find(({ name }: { name: string }) => name === "role:moderators").id;
  const people = [chat.user("hamlet").id, chat.user("othello").id, 999];
  const setting = (target: string, before: unknown, after: unknown) => ({
    action: `change ${target.split(" ", 2).join(" ")}`,
    target,
    before,
    after,
  });
  const changes: [change: object, english: string, german: string][] = [
    [setting("organization setting invite_required", true, false), "on → off", "an → aus"],
    [
      setting("organization setting message_content_edit_limit_seconds", 60, null),
      `For 1 minute → ${english.settings.always}`,
      `1 Minute lang → ${german.settings.always}`,
    ],
    [
      setting("organization setting message_retention_days", -1, 10_000),
      `${english.settings.never} → For 10,000 days`,
      `${german.settings.never} → 10.000 Tage lang`,
    ],
    [
      setting("organization setting signup_announcements_stream_id", -1, stage),
      `${english.settings.noChannel} → stage`,
      "→ stage",
    ],
    [setting("organization setting default_language", "en", "de"), "English → Deutsch", "→ Deutsch"],
    [
      setting("organization setting can_create_groups", moderators, { direct_members: people, direct_subgroups: [] }),
      "Moderators and above → Hamlet, Othello, person 999",
      "Moderatoren und höher → Hamlet, Othello, Person 999",
    ],
    [setting("default setting color_scheme", 1, 2), "System → Dark", "→ Dunkel"],
    [
      {
        action: "change channel",
        target: `channel ${stage}`,
        before: { folder_id: null },
        after: { folder_id: folder },
      },
      "Folder: nothing → House",
      "Ordner: nichts → House",
    ],
    [
      { action: "change role", target: `user ${people[0]}`, before: 400, after: 300 },
      "Hamlet: Member → Moderator",
      "Mitglied → Moderator",
    ],
    [
      { action: "subscribe users", target: `channel ${stage}`, after: people },
      "stage: Hamlet, Othello, person 999",
      "stage: Hamlet, Othello, Person 999",
    ],
    [
      { action: "doubt the clock", target: "clock", before: 0, after: 86_400_000 },
      "1970-01-01T00:00:00.000Z → 1970-01-02T00:00:00.000Z",
      "1970-01-02",
    ],
  ];
  for (const [change] of changes) record(chat, [change as AuditChange]); // one entry each
  for (const [change, english, german] of changes) {
    const { action } = change as { action: string };
    for (const text of [english, german.toUpperCase()]) {
      const { acts } = await owner.get("/host/audit/acts", { text });
      assert.ok(
        acts.some((act: { action: string; target: string }) => act.action === action),
        `${text}: ${JSON.stringify(acts)}`,
      );
    }
    const [, row = "", ...more] = (await csv(chat, "desdemona", { text: english })).split("\r\n");
    assert.deepEqual(more, [""], english);
    assert.ok(row.includes(english), row);
  }
  const { acts } = await owner.get("/host/audit/acts", { text: "Everyone except guests" });
  assert.deepEqual(acts, []);
});

test("every action and setting has a text", () => {
  const sentences: Readonly<Record<AuditAction, unknown>> = AUDIT_SENTENCES; // does not compile without one
  assert.ok("create organization" in sentences);
  assert.deepEqual(Object.keys(operatorSettingTexts.operatorSettings).sort(), Object.keys(OPERATOR_SETTINGS).sort());
});

test("search finds old entries in a long audit", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  change(chat, 1000);
  const { acts, has_more } = await chat.as("desdemona").get("/host/audit/acts", { text: "venice" });
  assert.deepEqual([acts.map(({ action }: { action: string }) => action), has_more], [["create organization"], false]);
});

test("the CSV audit has no spreadsheet formulas", async (t) => {
  const chat = await startChat(t, { unwatched: true, channels: [{ name: "stage" }] });
  const evil = '=HYPERLINK("http://evil.example"),x';
  const owner = chat.as("desdemona");
  const rows = async (name: string) => {
    const renamed = await owner.patch(`/streams/${chat.ids["stage"]}`, { new_name: name });
    assert.equal(renamed.result, "success", renamed.msg);
    return (await csv(chat, "desdemona", { channel_id: `${chat.ids["stage"]}`, text: "change channel" })).split("\r\n");
  };
  const [header, first = "", ...more] = await rows(evil);
  assert.equal(header, "time,act,entry,by,by_id,from,in_words,action,what,name,before,after");
  assert.match(
    first,
    /^[\dT:.-]+Z,\d+,\d+,Desdemona,1,api,"Desdemona changed the channel =HYPERLINK\(.+: Name: stage → =HYPERLINK\(.+",change channel,channel \d+,"'=HYPERLINK\(""http:/,
  );
  assert.ok(first.endsWith(`"{""name"":""=HYPERLINK(\\""http://evil.example\\""),x""}"`), first);
  assert.deepEqual(more, [""]); // the last row ends with a line break
  for (const name of ["=1+1", "+1", "-1", "@x"]) {
    const [, row = ""] = await rows(name);
    assert.ok(row.includes(`,'${name},`), row);
  }
});

test("only owners and the operator read entries and the table", async (t) => {
  const users = { clown: { is_bot: true, bot_type: 1 as const, role: 100 as const } };
  const chat = await startChat(t, { unwatched: true, users, operatorToken: "operator's own" });
  const operator = { authorization: "Bearer operator's own" };
  assert.equal((await chat.anonymous("GET", "/host/audit/acts", {}, operator)).status, 200);
  for (const path of ["/host/audit/acts", "/host/audit/csv"]) {
    for (const name of ["iago", "hamlet", "polonius", "bot", "clown"]) {
      const answer = await chat.as(name).get(path);
      assert.equal(answer.status, 400, `${name} ${path}`);
      assert.equal(answer["acts"], undefined);
    }
    assert.equal((await chat.anonymous("GET", path)).status, 401);
  }
});
