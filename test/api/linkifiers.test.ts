import assert from "node:assert/strict";
import test from "node:test";
import { openToWeb } from "../support/channels.ts";
import { type Chat, type Params, startChat } from "../support/chat.ts";

const stage = { name: "stage", subscribers: ["hamlet", "othello"] };
const ISSUE = { pattern: "#(?P<id>[0-9]+)", url_template: "https://tracker.example/{id}" };
const PLAIN = { example_input: null, reverse_template: null, alternative_url_templates: [] };
const TICKET = { pattern: "(?P<team>[A-Z]{2,5})-(?P<id>[0-9]+)", url_template: "https://tickets.example/{team}{?id}" };

async function add(chat: Chat, linkifier: Params, name = "iago"): Promise<number> {
  const answer = await chat.as(name).post("/realm/filters", linkifier);
  assert.equal(answer.status, 200, answer.msg);
  return answer["id"];
}
const list = async (chat: Chat, name = "polonius") => (await chat.as(name).get("/realm/linkifiers"))["linkifiers"];
async function sent(chat: Chat, content: string, topic = "plain"): Promise<number> {
  const answer = await chat.as("hamlet").post("/messages", { type: "channel", to: "stage", topic, content });
  assert.equal(answer.status, 200, answer.msg);
  return answer["id"];
}
const message = async (chat: Chat, id: number) => (await chat.as("othello").get(`/messages/${id}`))["message"];

test("administrators add, change, order and remove linkifiers with events", async (t) => {
  const chat = await startChat(t, { watchAll: true });
  const [guest, old] = [
    await chat.register("polonius"),
    await chat.register("hamlet", { client_capabilities: { linkifier_url_template: false } }),
  ];
  assert.deepEqual([guest.state["realm_linkifiers"], guest.state["realm_filters"]], [[], []]);
  const [issue, ticket] = [await add(chat, ISSUE), await add(chat, TICKET, "desdemona")];
  const iago = chat.as("iago");
  const [first, second] = [
    { ...ISSUE, ...PLAIN, id: issue },
    { ...TICKET, ...PLAIN, id: ticket },
  ];
  const moved = { ...first, url_template: "https://elsewhere.example{/id}" };
  const ok = async (answer: Promise<Params>) => assert.equal((await answer)["result"], "success");
  await ok(iago.patch(`/realm/filters/${issue}`, { pattern: moved.pattern, url_template: moved.url_template }));
  await ok(iago.patch(`/realm/filters/${issue}`, { pattern: moved.pattern, url_template: moved.url_template }));
  await ok(iago.patch("/realm/linkifiers", { ordered_linkifier_ids: [ticket, issue] }));
  await ok(iago.patch("/realm/linkifiers", { ordered_linkifier_ids: [ticket, issue] }));
  assert.deepEqual(await list(chat), [second, moved]);
  await chat.checkEvents();
  await chat.restart();
  assert.deepEqual((await chat.register("othello")).state["realm_linkifiers"], [second, moved]);
  await ok(iago.delete(`/realm/filters/${ticket}`));
  assert.deepEqual(await list(chat, "bot"), [moved]);
  assert.deepEqual(
    (await guest.events()).map(({ id: _, ...event }) => event),
    [[first], [first, second], [moved, second], [second, moved], [moved]].map((realm_linkifiers) => ({
      type: "realm_linkifiers",
      realm_linkifiers,
    })),
  );
  const events = await old.events();
  assert.deepEqual(
    events.slice(0, 2).map(({ id: _, ...event }) => event),
    [
      { type: "realm_linkifiers", realm_linkifiers: [] },
      { type: "realm_filters", realm_filters: [] },
    ],
  );
  assert.equal(events.length, 10);
  const state = (await chat.register("hamlet", { client_capabilities: {} })).state;
  assert.deepEqual([state["realm_linkifiers"], state["realm_filters"]], [[], []]);
});

test("only administrators change linkifiers, and visitors see none", async (t) => {
  const chat = await startChat(t, { prepare: openToWeb });
  const id = await add(chat, ISSUE);
  for (const name of ["hamlet", "bot"]) {
    const who = chat.as(name);
    for (const answer of [
      await who.post("/realm/filters", TICKET),
      await who.patch(`/realm/filters/${id}`, TICKET),
      await who.patch("/realm/linkifiers", { ordered_linkifier_ids: [id] }),
      await who.delete(`/realm/filters/${id}`),
    ])
      assert.deepEqual([answer.status, answer["code"]], [400, "UNAUTHORIZED_PRINCIPAL"]);
  }
  assert.equal((await chat.as("polonius").post("/realm/filters", TICKET))["code"], "BAD_REQUEST");
  for (const [method, path] of [
    ["GET", "/realm/linkifiers"],
    ["POST", "/realm/filters"],
    ["PATCH", "/realm/linkifiers"],
    ["PATCH", `/realm/filters/${id}`],
    ["DELETE", `/realm/filters/${id}`],
  ] as const)
    assert.equal((await chat.anonymous(method, path)).status, 401, path);
  const visitor = await chat.anonymous("POST", "/register", { client_capabilities: { linkifier_url_template: true } });
  assert.deepEqual([visitor["queue_id"], visitor["realm_linkifiers"]], [null, []]);
  assert.deepEqual(await list(chat), [{ ...ISSUE, ...PLAIN, id }]);
});

test("rejects invalid linkifiers with a reason", async (t) => {
  const chat = await startChat(t);
  const [id, other] = [await add(chat, ISSUE), await add(chat, TICKET)];
  const iago = chat.as("iago");
  const before = await list(chat);
  const bad: [Params, string, string?][] = [
    [{ url_template: "https://e.example/{id}" }, "parameter_missing", "REQUEST_VARIABLE_MISSING"],
    [{ pattern: "(?P<id>a)" }, "parameter_missing", "REQUEST_VARIABLE_MISSING"],
    [{ pattern: "", url_template: "https://e.example/" }, "pattern_empty"],
    [{ pattern: "(?P<id>a*)", url_template: "https://e.example/{id}" }, "pattern_matches_empty"],
    [{ pattern: "(?P<id>[0-9]+", url_template: "https://e.example/{id}" }, "invalid_regular_expression"],
    [{ pattern: "(?<!x)(?P<id>[0-9]+)", url_template: "https://e.example/{id}" }, "invalid_regular_expression"],
    [{ pattern: "(?P<id>a)\\1", url_template: "https://e.example/{id}" }, "invalid_regular_expression"],
    [{ pattern: "(?P<id>(?:a{1,50}b){20})", url_template: "https://e.example/{id}" }, "pattern_too_complex"],
    [{ pattern: `(?P<id>a)${"b".repeat(500)}`, url_template: "https://e.example/{id}" }, "pattern_too_long"],
    [{ pattern: "(?P<id>a)", url_template: `https://e.example/{id}${"b".repeat(1000)}` }, "url_template_too_long"],
    [{ pattern: "(?P<id>a)", url_template: "https://e.example/{id" }, "url_template_invalid"],
    [{ pattern: "(?P<id>a)", url_template: "https://e.example/{x}" }, "group_not_in_pattern"],
    [{ pattern: "(?P<id>a)(?P<x>b)", url_template: "https://e.example/{id}" }, "group_not_in_template"],
    [{ pattern: "(?P<id>a)", url_template: "javascript:{id}" }, "url_template_not_web"],
    [{ pattern: TICKET.pattern, url_template: TICKET.url_template }, "linkifier_pattern_taken"],
    [{ ...ISSUE, example_input: "12" }, "linkifier_example_mismatch"],
    [{ ...ISSUE, example_input: "#12 and more" }, "linkifier_example_mismatch"],
    [{ ...ISSUE, example_input: "#".repeat(1001) }, "too_long"],
    [{ ...ISSUE, reverse_template: "#{id}" }, "linkifier_example_missing"],
    [{ ...ISSUE, example_input: "#12", reverse_template: "{id}" }, "reverse_template_mismatch"],
    [{ ...ISSUE, example_input: "#12", reverse_template: "#{number}" }, "group_not_in_pattern"],
    [{ ...ISSUE, example_input: "#12", reverse_template: "#{id" }, "reverse_template_invalid"],
    [{ ...ISSUE, alternative_url_templates: ["https://e.example/{x}"] }, "group_not_in_pattern"],
    [{ ...ISSUE, alternative_url_templates: ["https://e.example/{id"] }, "url_template_invalid"],
    [{ ...ISSUE, alternative_url_templates: Array(21).fill("https://e.example/{id}") }, "too_many_items"],
  ];
  for (const [params, reason, code = "BAD_REQUEST"] of bad) {
    for (const answer of [
      await iago.post("/realm/filters", params),
      await iago.patch(`/realm/filters/${id}`, params),
    ]) {
      assert.deepEqual([answer.status, answer["code"]], [400, code], JSON.stringify(params));
      assert.equal(answer.reason, reason);
    }
  }
  for (const answer of [
    await iago.patch(`/realm/filters/${other + 1}`, { pattern: "(?P<id>z)", url_template: "https://e.example/{id}" }),
    await iago.delete(`/realm/filters/${other + 1}`),
  ]) {
    assert.deepEqual([answer.status, answer["code"], answer.msg], [400, "BAD_REQUEST", "Linkifier not found."]);
  }
  for (const order of [[], [id], [id, id], [id, other, other], [id, other + 1], "x", [`${id}`]]) {
    const answer = await iago.patch("/realm/linkifiers", { ordered_linkifier_ids: order });
    assert.deepEqual([answer.status, answer["code"]], [400, "BAD_REQUEST"], JSON.stringify(order));
  }
  assert.equal((await iago.patch("/realm/linkifiers"))["code"], "REQUEST_VARIABLE_MISSING");
  assert.deepEqual(await list(chat), before);
});

test("linkifiers apply when messages, topics and channel descriptions are written", async (t) => {
  const chat = await startChat(t, { channels: [stage] });
  const href = (url: string, text: string) => `<a href="${url}">${text}</a>`;
  const early = await sent(chat, "see #12", "about #12");
  const id = await add(chat, ISSUE);
  await add(chat, TICKET);
  assert.equal((await message(chat, early)).content, "<p>see #12</p>");
  const late = await sent(chat, "see #12 and AB-7, `#12`", "about AB-7");
  const { content, topic_links } = await message(chat, late);
  assert.equal(
    content,
    `<p>see ${href("https://tracker.example/12", "#12")} and ${href("https://tickets.example/AB?id=7", "AB-7")}, <code>#12</code></p>`,
  );
  assert.deepEqual(topic_links, [{ text: "AB-7", url: "https://tickets.example/AB?id=7" }]);
  // Topics are linked when they are read.
  assert.deepEqual((await message(chat, early)).topic_links, [{ text: "#12", url: "https://tracker.example/12" }]);
  await chat.as("iago").patch(`/streams/${chat.ids["stage"]}`, { description: "on #3" });
  const { stream } = await chat.as("othello").get(`/streams/${chat.ids["stage"]}`);
  assert.equal(stream.rendered_description, `<p>on ${href("https://tracker.example/3", "#3")}</p>`);
  const rendered = await chat.as("othello").post("/messages/render", { content: "#4" });
  assert.equal(rendered["rendered"], `<p>${href("https://tracker.example/4", "#4")}</p>`);

  await chat.as("iago").delete(`/realm/filters/${id}`);
  assert.equal((await message(chat, late)).content, content);
  assert.deepEqual((await message(chat, early)).topic_links, []);
  await chat.as("hamlet").patch(`/messages/${late}`, { content: "still #12" });
  assert.equal((await message(chat, late)).content, "<p>still #12</p>");
});

test("allows at most a hundred linkifiers, still editable", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const numbered = (n: number) => ({ pattern: `N${n}-(?P<id>[0-9]+)`, url_template: `https://e.example/${n}/{id}` });
  let id = 0;
  for (let n = 0; n < 100; n++) id = await add(chat, numbered(n));
  const more = await chat.as("iago").post("/realm/filters", numbered(100));
  assert.deepEqual([more.status, more["code"]], [400, "BAD_REQUEST"]);
  assert.match(more.msg, /100/);
  assert.equal((await chat.as("iago").patch(`/realm/filters/${id}`, numbered(100))).status, 200);
  assert.equal((await list(chat)).length, 100);
});

test("the audit names each change of linkifiers", async (t) => {
  const chat = await startChat(t);
  const [a, b] = [await add(chat, ISSUE), await add(chat, TICKET)];
  const changed = { ...ISSUE, url_template: "https://e.example/{id}" };
  await chat.as("iago").patch(`/realm/filters/${a}`, changed);
  await chat.as("iago").patch("/realm/linkifiers", { ordered_linkifier_ids: [b, a] });
  await chat.as("iago").delete(`/realm/filters/${b}`);
  const { entries } = await chat.as("desdemona").get("/host/audit");
  const recorded = entries
    .filter(({ action }: Params) => /linkifier/.test(String(action)))
    .map(({ action, target, before, after }: Params) => [action, target, before, after]);
  assert.deepEqual(recorded.reverse(), [
    ["add linkifier", `linkifier ${a}`, null, { ...ISSUE, ...PLAIN }],
    ["add linkifier", `linkifier ${b}`, null, { ...TICKET, ...PLAIN }],
    ["change linkifier", `linkifier ${a}`, { ...ISSUE, ...PLAIN }, { ...changed, ...PLAIN }],
    ["reorder linkifiers", "organization", [a, b], [b, a]],
    ["remove linkifier", `linkifier ${b}`, { ...TICKET, ...PLAIN }, null],
  ]);
});

test("a linkifier can say how URLs become its text", async (t) => {
  const chat = await startChat(t, { watchAll: true });
  const reversal = {
    example_input: "{x} PROJ-12",
    reverse_template: "{{x}} {team}-{id}",
    alternative_url_templates: ["https://old.example/{team}/{id}"],
  };
  const linkifier = { ...TICKET, pattern: `\\{x\\} ${TICKET.pattern}` };
  const id = await add(chat, { ...linkifier, ...reversal });
  assert.deepEqual(await list(chat), [{ ...linkifier, ...reversal, id }]);
  const patch = async (change: Params) => {
    const answer = await chat.as("iago").patch(`/realm/filters/${id}`, { ...linkifier, ...change });
    assert.equal(answer.status, 200, answer.msg);
  };
  await patch({});
  assert.deepEqual(await list(chat), [{ ...linkifier, ...reversal, id }], "omitted fields do not change");
  await patch({ example_input: "{x} TEAM-1" });
  assert.equal((await list(chat))[0].example_input, "{x} TEAM-1");
  await patch({ example_input: "", reverse_template: "", alternative_url_templates: [] });
  assert.deepEqual(await list(chat), [{ ...linkifier, ...PLAIN, id }]);
});
