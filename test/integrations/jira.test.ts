import assert from "node:assert/strict";
import test from "node:test";
import { jira, jiraComment } from "./payloads.ts";
import { fate, messageOf, outcome } from "./requests.ts";

const FIRE = "[FIRE-1](https://jira.example/browse/FIRE-1)";
const TOPIC = "FIRE-1: No wood";

test("reports created, changed and deleted issues", () => {
  assert.deepEqual(messageOf("jira", { ...jira, webhookEvent: "jira:issue_created" }), {
    event: "jira:issue_created",
    topic: TOPIC,
    content: `Iago created the bug ${FIRE}.\n\n- Priority: High\n- Assignee: Hamlet`,
  });
  assert.deepEqual(messageOf("jira", jira), {
    event: "jira:issue_updated",
    topic: TOPIC,
    content: `Iago updated ${FIRE} (assigned to Hamlet):\n\n- Status: Done (was Open)\n- Assignee: Hamlet`,
  });
  const deleted = messageOf("jira", { ...jira, webhookEvent: "jira:issue_deleted" });
  assert.equal(deleted.content, `Iago deleted ${FIRE}.`);
});

test("a transition is a status change, even without an event name", () => {
  const { webhookEvent: _event, changelog: _changelog, ...rest } = jira;
  const transition = { from_status: "Open", to_status: "Done" };
  const { event, content } = messageOf("jira", { ...rest, transition });
  assert.equal(event, "jira:issue_updated");
  assert.equal(content, `Iago updated ${FIRE} (assigned to Hamlet):\n\n- Status: Done (was Open)`);
});

test("quotes comments as Markdown", () => {
  const quoted = "> See [the log](https://log.example) and **carry** `wood`, **hamlet**.\n> > Cold!";
  assert.deepEqual(messageOf("jira", jiraComment), {
    event: "comment_created",
    topic: TOPIC,
    content: `Othello commented on ${FIRE}:\n\n${quoted}`,
  });
  const of = (more: object) => messageOf("jira", { ...jiraComment, ...more }).content;
  assert.equal(of({ webhookEvent: "comment_deleted" }), `Othello deleted a comment on ${FIRE}.`);
  const update = { webhookEvent: "jira:issue_updated", issue_event_type_name: "issue_comment_edited", user: jira.user };
  assert.equal(of(update), `Iago edited a comment on ${FIRE}:\n\n${quoted}`);
});

test("converts multi-line markup and new API documents", () => {
  const of = (body: unknown) =>
    messageOf("jira", { ...jiraComment, comment: { ...jiraComment.comment, body } }).content.split(":\n\n")[1];
  assert.equal(of("{code:java}\nint a = *b*;\n{code}"), "> ```java\n> int a = *b*;\n> ```");
  assert.equal(of("{quote}a{noformat}*b*{noformat}c{quote}"), "> > a\n> > ```\n> > *b*\n> > ```\n> > c");
  assert.equal(of("{quote}one\ntwo{quote}"), "> > one\n> > two");
  const text = (value: string) => ({ type: "text", text: value });
  const document = {
    type: "doc",
    content: [
      { type: "paragraph", content: [text("Carry "), { type: "mention", attrs: { text: "@Hamlet" } }] },
      {
        type: "bulletList",
        content: [{ type: "listItem", content: [{ type: "paragraph", content: [text("wood")] }] }],
      },
    ],
  };
  assert.equal(of(document), "> Carry @Hamlet\n>\n> - wood");
});

test("reads the issue key from the URL for old comments", () => {
  const comment = { ...jiraComment.comment, self: "https://jira.example/rest/api/2/issue/FIRE-9/comment/5" };
  const { topic, content } = messageOf("jira", { webhookEvent: "comment_created", comment });
  assert.equal(topic, "FIRE-9: (title unknown)");
  assert.match(content, /^Othello commented on \[FIRE-9\]\(https:\/\/jira\.example\/browse\/FIRE-9\):/);
});

test("ignores unreported events, names unknown ones, rejects others", () => {
  assert.equal(fate("jira", { webhookEvent: "sprint_started" }), "ignored");
  assert.equal(fate("jira", { webhookEvent: "board_created" }), "unsupported board_created");
  assert.throws(() => outcome("jira", { hello: 1 }), {
    code: "ANOMALOUS_WEBHOOK_PAYLOAD",
    status: 400,
    data: { webhook_name: "Jira" },
  });
});
