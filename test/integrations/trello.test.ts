import assert from "node:assert/strict";
import test from "node:test";
import { trello } from "./payloads.ts";
import { fate, messageOf, outcome } from "./requests.ts";

const { data } = trello.action;
const { listBefore: _before, listAfter: _after, ...plainData } = data;
const body = (type: string, more: object = {}) => ({
  action: { ...trello.action, type, data: { ...plainData, ...more } },
});
const of = (type: string, more?: object): string => messageOf("trello", body(type, more)).content;
const CARD = "[Fetch wood](https://trello.com/c/ccc)";
const BOARD = "[Fire](https://trello.com/b/bbb)";
const DUE = "<time:2025-01-01T00:00:00Z>";

test("reports each card action in the board's topic", () => {
  assert.deepEqual(messageOf("trello", trello), { topic: "Fire", content: `Iago moved ${CARD} from To do to Done.` });
  for (const [type, more, sentence] of [
    ["createCard", { list: { name: "To do" } }, `created ${CARD} in To do.`],
    ["addLabelToCard", { text: "Hot", value: "red" }, `added the label Hot (red) to ${CARD}.`],
    ["removeLabelFromCard", { label: { name: "", color: "red" } }, `removed the red label from ${CARD}.`],
    ["addMemberToCard", {}, `added Hamlet to ${CARD}.`],
    ["removeMemberFromCard", {}, `removed Hamlet from ${CARD}.`],
    [
      "addAttachmentToCard",
      { attachment: { name: "a.png", url: "https://x.example/a" } },
      `attached [a.png](https://x.example/a) to ${CARD}.`,
    ],
    ["addChecklistToCard", { checklist: { name: "Steps" } }, `added the checklist Steps to ${CARD}.`],
    ["commentCard", { text: "Oak?" }, `commented on ${CARD}:\n\n> Oak?`],
    [
      "updateCheckItemStateOnCard",
      { checklist: { name: "Steps" }, checkItem: { name: "Saw", state: "complete" } },
      `completed Saw in Steps (${CARD}).`,
    ],
    ["updateCard", { old: { name: "Get wood" } }, `renamed Get wood to ${CARD}.`],
    ["updateCard", { old: { desc: "" } }, `described ${CARD}:\n\n> Oak`],
    ["updateCard", { old: { desc: "Ash" } }, `changed the description of ${CARD}:\n\n> Oak\n\nIt was:\n\n> Ash`],
    ["updateCard", { old: { due: null } }, `set the due date of ${CARD} to ${DUE}.`],
    ["updateCard", { old: { due: null }, card: { ...data.card, due: null } }, `removed the due date of ${CARD}.`],
    ["updateCard", { old: { closed: false } }, `archived ${CARD}.`],
    ["updateCard", { old: { closed: true } }, `took ${CARD} out of the archive.`],
    ["addMemberToBoard", {}, `added Hamlet to ${BOARD}.`],
    ["createList", { list: { name: "Later" } }, `added the list Later to ${BOARD}.`],
    ["updateBoard", { old: { name: "Ash" } }, `renamed the board Ash to ${BOARD}.`],
  ] as [string, object, string][]) {
    assert.equal(of(type, more), `Iago ${sentence}`);
  }
});

test("ignores cosmetic changes and names other actions", () => {
  assert.equal(fate("trello", body("updateCard", { old: { pos: 1 } })), "ignored");
  assert.equal(fate("trello", body("updateBoard", { old: { prefs: {} } })), "ignored");
  assert.equal(fate("trello", body("copyCard")), "ignored");
  assert.equal(fate("trello", body("updateCard", { old: { x: 1 } })), "unsupported updateCard");
  assert.equal(fate("trello", body("voteOnCard")), "unsupported voteOnCard");
  assert.equal(fate("trello", body("constructor")), "unsupported constructor");
  assert.throws(() => outcome("trello", {}), { data: { path: "action.type" } });
});
