import assert from "node:assert/strict";
import type { Body, Chat } from "./chat.ts";

export const FIELDS = "/realm/profile_fields";
export const DATA = "/users/me/profile_data";
export const options = { vim: { text: "Vim", order: "1" }, ed: { text: "Ed", order: "2" } };

export async function add(chat: Chat, params: object): Promise<number> {
  const answer = await chat.as("iago").post(FIELDS, { ...params });
  assert.equal(answer.status, 200, answer.msg);
  return answer.id;
}
export const fieldsOf = async (chat: Chat) =>
  (await chat.as("polonius").get(FIELDS)).custom_fields as Record<string, any>[];
export const refused = (answer: Body, about: unknown, code = "BAD_REQUEST") =>
  assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(about));

export async function addAll(chat: Chat): Promise<Record<string, number>> {
  const made: Record<string, number> = {};
  for (const [field_type, name] of [
    [1, "Phone"],
    [2, "Biography"],
    [4, "Birthday"],
    [5, "Page"],
    [6, "Mentor"],
    [8, "Pronouns"],
  ] as const)
    made[name] = await add(chat, { field_type, name });
  made["Editor"] = await add(chat, { field_type: 3, name: "Editor", field_data: options });
  made["Account"] = await add(chat, { field_type: 7, field_data: { subtype: "github" } });
  return made;
}
