import assert from "node:assert/strict";
import test from "node:test";
import { openToWeb } from "../support/channels.ts";
import { type Params, startChat } from "../support/chat.ts";

const PYTHON = { name: "Try Python", pygments_language: "Python", url_template: "https://py.example/{?code}" };
const RUST = { name: "Rust", pygments_language: "Rust", url_template: "http://rust.example/#{+code}" };

test("administrators add and remove playgrounds with events", async (t) => {
  const chat = await startChat(t, { watchAll: true, prepare: openToWeb });
  const iago = chat.as("iago");
  const guest = await chat.register("polonius");
  assert.deepEqual(guest.state["realm_playgrounds"], []);
  const add = async (params: Params): Promise<number> => {
    const answer = await iago.post("/realm/playgrounds", params);
    assert.equal(answer.status, 200, answer.msg);
    return answer["id"];
  };
  const [python, rust] = [await add(PYTHON), await add({ ...RUST, name: " Rust " })];
  const all = [
    { id: python, ...PYTHON },
    { id: rust, ...RUST },
  ];
  await add({ ...PYTHON, name: "Another" });
  await chat.checkEvents();
  await chat.restart();
  assert.deepEqual((await chat.register("bot")).state["realm_playgrounds"].slice(0, 2), all);
  assert.deepEqual((await chat.anonymous("POST", "/register"))["realm_playgrounds"].slice(0, 2), all);
  assert.equal((await iago.delete(`/realm/playgrounds/${python}`)).result, "success");
  const lists = (await guest.events()).map(({ type, realm_playgrounds }) => [type, realm_playgrounds]);
  assert.deepEqual(
    lists.map(([type, list]) => [type, list.length]),
    [1, 2, 3, 2].map((length) => ["realm_playgrounds", length]),
  );
  assert.deepEqual(lists[1]?.[1], all);

  const { entries } = await chat.as("desdemona").get("/host/audit");
  const recorded = entries
    .filter(({ action }: Params) => /playground/.test(String(action)))
    .map(({ action, target, before, after }: Params) => [action, target, before, after]);
  assert.deepEqual(recorded[0], ["remove playground", `playground ${python}`, PYTHON, null]);
  assert.deepEqual(recorded.at(-1), ["add playground", `playground ${python}`, null, PYTHON]);
});

test("only administrators change playgrounds", async (t) => {
  const chat = await startChat(t);
  const { id } = await chat.as("desdemona").post("/realm/playgrounds", PYTHON);
  for (const [name, code] of [
    ["hamlet", "UNAUTHORIZED_PRINCIPAL"],
    ["bot", "UNAUTHORIZED_PRINCIPAL"],
    ["polonius", "BAD_REQUEST"],
  ] as const) {
    assert.equal((await chat.as(name).post("/realm/playgrounds", RUST))["code"], code);
    assert.equal((await chat.as(name).delete(`/realm/playgrounds/${id}`))["code"], code);
  }
  assert.equal((await chat.anonymous("POST", "/realm/playgrounds", RUST)).status, 401);
  assert.equal((await chat.anonymous("DELETE", `/realm/playgrounds/${id}`)).status, 401);
  assert.equal((await chat.register("hamlet")).state["realm_playgrounds"].length, 1);
});

test("rejects invalid playgrounds with a reason", async (t) => {
  const chat = await startChat(t, { unwatched: true });
  const iago = chat.as("iago");
  const { id } = await iago.post("/realm/playgrounds", PYTHON);
  for (const name of Object.keys(PYTHON)) {
    const answer = await iago.post("/realm/playgrounds", { ...RUST, [name]: undefined });
    assert.deepEqual([answer["code"], answer["var_name"]], ["REQUEST_VARIABLE_MISSING", name]);
  }
  for (const [params, msg] of [
    [{ name: " " }, /name must not be empty/],
    [{ name: "é".repeat(101) }, /at most 100/],
    [{ pygments_language: "" }, /pygments_language must not be empty/],
    [{ pygments_language: "x".repeat(41) }, /at most 40/],
    [{ pygments_language: "<b>" }, /can contain only/],
    [{ url_template: "" }, /url_template must not be empty/],
    [{ url_template: `https://e.example/{code}${"x".repeat(1000)}` }, /at most 1000/],
    [{ url_template: "https://e.example/{code" }, /Invalid URL template/],
    [{ url_template: "https://e.example/" }, /must contain the variable/],
    [{ url_template: "https://e.example/{code}{other}" }, /only variable/],
    [{ url_template: "javascript:{code}" }, /https?:\/\//],
    [{ url_template: "{+code}" }, /https?:\/\//],
    [PYTHON, /exists/],
  ] as const) {
    const answer = await iago.post("/realm/playgrounds", { ...RUST, ...params });
    assert.deepEqual([answer.status, answer["code"]], [400, "BAD_REQUEST"], JSON.stringify(params));
    assert.match(answer.msg, msg);
  }
  assert.equal((await iago.delete(`/realm/playgrounds/${id + 1}`)).msg, "Playground not found.");
  assert.equal((await iago.delete("/realm/playgrounds/x"))["code"], "BAD_REQUEST");
  for (let n = 1; n < 100; n++)
    assert.equal((await iago.post("/realm/playgrounds", { ...RUST, name: `Rust ${n}` })).status, 200);
  assert.match((await iago.post("/realm/playgrounds", RUST)).msg, /100/);
});
