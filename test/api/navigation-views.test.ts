import assert from "node:assert/strict";
import test from "node:test";
import { startChat } from "../support/chat.ts";

const VIEWS = "/navigation_views";
const without = ({ id: _, ...event }: Record<string, unknown>) => event;

test("views are created, listed, pinned, renamed and deleted", async (t) => {
  const chat = await startChat(t);
  const hamlet = chat.as("hamlet");
  const [own, other] = [await chat.register("hamlet"), await chat.register("othello")];
  assert.deepEqual(own.state.navigation_views, []);
  const [ghosts, starred] = ["narrow/channel/1-castle/topic/a ghost?", "narrow/is/starred"];
  const keep = (params: object) => hamlet.post(VIEWS, { ...params });
  assert.equal((await keep({ fragment: ` ${ghosts} `, is_pinned: true, name: " Ghosts " })).status, 200);
  assert.equal((await keep({ fragment: starred, is_pinned: false, name: "null" })).status, 200);
  assert.equal((await keep({ fragment: "inbox", is_pinned: false })).status, 200);
  const view = (fragment: string, is_pinned: boolean, name: string | null) => ({ fragment, is_pinned, name });
  const all = [view("inbox", false, null), view(ghosts, true, "Ghosts"), view(starred, false, null)];
  assert.deepEqual((await hamlet.get(VIEWS)).navigation_views, all);
  // The rest of the path is the fragment; its slashes may be encoded.
  assert.equal((await hamlet.patch(`${VIEWS}/narrow/is/starred`, { is_pinned: true })).status, 200);
  assert.equal(
    (await hamlet.patch(`${VIEWS}/${encodeURIComponent(ghosts)}`, { name: "Ghost", is_pinned: true })).status,
    200,
  );
  assert.equal((await hamlet.delete(`${VIEWS}/inbox`)).status, 200);
  const left = [view(ghosts, true, "Ghost"), view(starred, true, null)];
  assert.deepEqual((await hamlet.get(VIEWS)).navigation_views, left);
  const type = "navigation_view";
  assert.deepEqual((await own.events()).map(without), [
    { type, op: "add", navigation_view: all[1] },
    { type, op: "add", navigation_view: all[2] },
    { type, op: "add", navigation_view: all[0] },
    { type, op: "update", fragment: starred, data: { is_pinned: true } },
    { type, op: "update", fragment: ghosts, data: { name: "Ghost" } },
    { type, op: "remove", fragment: "inbox" },
  ]);
  assert.deepEqual(await other.events(), []);
  await chat.restart();
  assert.deepEqual((await chat.register("hamlet")).state.navigation_views, left);
});

test("invalid views are rejected, and others' views look missing", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const hamlet = chat.as("hamlet");
  const mine = { fragment: "narrow/dm", is_pinned: false, name: "Direct" };
  assert.equal((await hamlet.post(VIEWS, mine)).status, 200);
  assert.equal((await hamlet.post(VIEWS, { ...mine, fragment: "drafts", name: undefined })).status, 200);
  for (const params of [
    mine,
    { ...mine, fragment: "narrow/other" }, // an existing name
    { ...mine, fragment: " " },
    { ...mine, fragment: "x".repeat(1001), name: "x" },
    { ...mine, fragment: "x", name: undefined },
    { ...mine, fragment: "x", name: " " },
    { ...mine, fragment: "x", name: "x".repeat(101) },
    { ...mine, fragment: "feed", name: "All" },
    { fragment: "x", name: "x" },
    { is_pinned: true, name: "x" },
    { fragment: "x", name: "x", is_pinned: "perhaps" },
  ])
    assert.equal((await hamlet.post(VIEWS, params)).status, 400, JSON.stringify(params));
  assert.equal((await hamlet.patch(`${VIEWS}/drafts`, { name: "x" })).status, 400);
  assert.equal((await hamlet.patch(`${VIEWS}/narrow/dm`, { name: "" })).status, 400);
  assert.equal((await hamlet.patch(`${VIEWS}/narrow/dm`)).status, 400);
  for (const name of ["hamlet", "othello"]) {
    const fragment = name === "hamlet" ? "narrow/none" : "narrow/dm";
    for (const answer of [
      await chat.as(name).patch(`${VIEWS}/${fragment}`, { is_pinned: true }),
      await chat.as(name).delete(`${VIEWS}/${fragment}`),
    ])
      assert.deepEqual([answer.status, answer.msg], [404, "Navigation view not found."]);
  }
  assert.equal((await hamlet.delete(VIEWS)).status, 405);
  assert.equal((await hamlet.get(VIEWS)).navigation_views.length, 2);
});
