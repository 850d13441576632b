import assert from "node:assert/strict";
import test from "node:test";
import { type Params, startChat } from "../support/chat.ts";

const channel = [{ operator: "channel", operand: "stage" }];

test("unsupported services report that after parameter errors", async (t) => {
  const chat = await startChat(t);
  const calls: ["get" | "post", string, Params, RegExp][] = [
    ["get", "/messages/summary", {}, /language model/],
    ["get", "/messages/summary", { narrow: channel }, /language model/],
    ["post", "/calls/zoom/create", {}, /Zoom/],
    ["post", "/calls/zoom/create", { is_video_call: false }, /Zoom/],
    ["get", "/calls/bigbluebutton/create", { meeting_name: "plans" }, /BigBlueButton/],
    ["get", "/calls/bigbluebutton/create", { meeting_name: "plans", voice_only: true }, /BigBlueButton/],
    ["get", "/messages/summary", { narrow: "x" }, /narrow/],
    ["post", "/calls/zoom/create", { is_video_call: "perhaps" }, /is_video_call/],
    ["get", "/calls/bigbluebutton/create", { meeting_name: "plans", voice_only: "perhaps" }, /voice_only/],
  ];
  for (const [method, path, params, msg] of calls) {
    const answer = await chat.as("polonius")[method](path, params);
    assert.deepEqual([answer.status, answer["code"]], [400, "BAD_REQUEST"], path);
    assert.match(answer.msg, msg);
    assert.equal((await chat.anonymous(method.toUpperCase(), path, params)).status, 401);
  }
  const nameless = await chat.as("hamlet").get("/calls/bigbluebutton/create");
  assert.deepEqual([nameless["code"], nameless["var_name"]], ["REQUEST_VARIABLE_MISSING", "meeting_name"]);
  assert.equal((await chat.register("hamlet")).state["server_can_summarize_topics"], false);
});

test("no other sign-in method returns a key", async (t) => {
  const chat = await startChat(t);
  for (const [method, path, params] of [
    ["POST", "/jwt/fetch_api_key", { token: "a.b.c", include_profile: true }],
    ["POST", "/dev_fetch_api_key", { username: "desdemona@example.com" }],
    ["GET", "/dev_list_users", {}],
  ] as const) {
    const answer = await chat.anonymous(method, path, params);
    assert.deepEqual([answer.status, answer["code"], answer["api_key"]], [400, "BAD_REQUEST", undefined], path);
  }
  for (const [path, params, name] of [
    ["/jwt/fetch_api_key", {}, "token"],
    ["/dev_fetch_api_key", {}, "username"],
  ] as const) {
    const answer = await chat.anonymous("POST", path, params);
    assert.deepEqual([answer["code"], answer["var_name"]], ["REQUEST_VARIABLE_MISSING", name]);
  }
  const wrong = await chat.anonymous("POST", "/jwt/fetch_api_key", { token: "a", include_profile: "perhaps" });
  assert.match(wrong.msg, /include_profile/);
});
