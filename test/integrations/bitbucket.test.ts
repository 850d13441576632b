import assert from "node:assert/strict";
import test from "node:test";
import { bitbucketCloud as cloud, bitbucketServer as server } from "./payloads.ts";
import { fate, messageOf, messagesOf, outcome, type Sent } from "./requests.ts";

const key = (value: string, query: Record<string, string> = {}): Sent => ({ headers: { "X-Event-Key": value }, query });
const IAGO = "[Iago](https://bb.example/iago)";

test("Cloud: a push creates one message per branch and tag", () => {
  assert.deepEqual(messagesOf("bitbucket2", cloud.push), [
    {
      event: "push",
      topic: "hearth / main",
      content: `${IAGO} pushed [1 commit](https://bb.example/compare) to \`main\`. Commits by Hamlet (1).\n\n- One ([0123456789a](https://bb.example/c))`,
    },
    { event: "push", topic: "hearth / old", content: `${IAGO} deleted the branch \`old\`.` },
    { event: "push", topic: "hearth", content: `${IAGO} pushed the tag [v1](https://bb.example/v1).` },
  ]);
  const topics = (branches: string) =>
    messagesOf("bitbucket2", cloud.push, { query: { branches } }).map(({ topic }) => topic);
  assert.deepEqual(topics("main"), ["hearth / main", "hearth"]);
  assert.equal(fate("bitbucket2", { ...cloud.push, push: { changes: [] } }), "ignored");
});

test("Cloud and Server: report moved tags", () => {
  const tag = { type: "tag", name: "v1", links: { html: { href: "https://bb.example/v1" } } };
  const moved = { ...cloud.push, push: { changes: [{ new: tag, old: tag }] } };
  assert.equal(messageOf("bitbucket2", moved).content, `${IAGO} moved the tag [v1](https://bb.example/v1).`);
  const changes = [{ type: "UPDATE", ref: { type: "TAG", displayId: "v1" } }];
  assert.equal(onServer("repo:refs_changed", { changes }).content, `${SERVER_IAGO} moved the tag v1.`);
});

test("Cloud: a force push shows its head, a truncated one says so", () => {
  const [first] = cloud.push.push.changes;
  const content = (more: object) =>
    messageOf("bitbucket2", { ...cloud.push, push: { changes: [{ ...first, ...more }] } }).content;
  assert.match(
    content({ forced: true }),
    /force-pushed .* `main`\. Its head is \[0123456789a\]\(https:\/\/bb\.example\/h\)\.$/,
  );
  assert.match(content({ truncated: true }), /pushed \[more than 1 commit\]/);
});

test("Cloud: the header decides the pull request action", () => {
  const PR = "[pull request #7](https://bb.example/7)";
  for (const [action, sentence] of [
    ["created", `opened ${PR} from \`warm\` to \`main\`:\n\n> Body\n\nReviewers: Hamlet`],
    ["updated", `updated ${PR}:\n\n> Body\n\nReviewers: Hamlet`],
    ["approved", `approved ${PR}.`],
    ["unapproved", `took back the approval of ${PR}.`],
    ["rejected", `declined ${PR}.`],
    ["fulfilled", `merged ${PR} from \`warm\` to \`main\`.`],
    ["comment_created", `[commented](https://bb.example/cc) on ${PR}:\n\n> Why?`],
    ["comment_deleted", `[deleted a comment](https://bb.example/cc) on ${PR}.`],
  ]) {
    const message = messageOf("bitbucket2", cloud.pullRequest, key(`pullrequest:${action}`));
    assert.deepEqual(message, {
      event: `pull_request_${action}`,
      topic: "hearth / PR #7 Warm",
      content: `${IAGO} ${sentence}`,
    });
  }
  assert.equal(fate("bitbucket2", cloud.pullRequest, key("pullrequest:push")), "unsupported pullrequest:push");
  assert.throws(() => outcome("bitbucket2", cloud.pullRequest), { code: "MISSING_HTTP_EVENT_HEADER" });
});

test("Cloud: reports issues, comments, builds, forks and repository changes", () => {
  const ISSUE = "[issue #3](https://bb.example/3)";
  const { issue, comment, status, fork, updated } = cloud;
  const content = (body: object, sent?: Sent) => messageOf("bitbucket2", body, sent).content;
  assert.equal(content(issue), `${IAGO} created ${ISSUE}, assigned to Hamlet:\n\n> It smokes.`);
  assert.equal(content({ ...issue, changes: {} }), `${IAGO} updated ${ISSUE}.`);
  const commented = { ...issue, changes: {}, comment: comment.comment };
  assert.equal(content(commented), `${IAGO} [commented](https://bb.example/cc) on ${ISSUE}:\n\n> Why?`);
  assert.match(
    content(comment),
    /\[commented\]\(.*\) on the commit \[0123456789a\]\(https:\/\/bb\.example\/c\):\n\n> Why\?$/,
  );
  assert.match(content(status), /^❌ \[CI\]\(https:\/\/ci\.example\/1\) of \[0123456789a\]\(.*\) is now failed\.$/);
  assert.equal(
    content(fork),
    `${IAGO} forked [hearth](https://bb.example/hearth) as [iago/chimney](https://bb.example/f).`,
  );
  assert.match(content(updated, key("repo:updated")), /changed the repository .*:\n\n- name: hearth \(was fire\)$/);
  assert.equal(fate("bitbucket2", updated, key("repo:x")), "unsupported repo:x");
});

const SERVER_IAGO = "[Iago](https://bs.example/iago)";
const COMMIT = "[0123456789a](https://bs.example/p/repos/hearth/commits/0123456789abcdef0123456789abcdef01234567)";
const onServer = (eventKey: string, more: object = {}) => messageOf("bitbucket3", { ...server, eventKey, ...more });

test("Server: each changed reference creates a message", () => {
  assert.deepEqual(
    messagesOf("bitbucket3", { ...server, eventKey: "repo:refs_changed" }).map(({ topic, content }) => [
      topic,
      content,
    ]),
    [
      ["hearth / main", `${SERVER_IAGO} pushed to \`main\`. Its head is ${COMMIT}.`],
      ["hearth / new", `${SERVER_IAGO} created the branch \`new\`. Its head is ${COMMIT}.`],
      ["hearth", `${SERVER_IAGO} removed the tag v1.`],
    ],
  );
});

test("Server: an edited title does not repeat the description", () => {
  const previousDescription = server.pullRequest.description;
  assert.doesNotMatch(onServer("pr:modified", { previousDescription }).content, />/);
  assert.match(onServer("pr:modified", { previousDescription: "Old" }).content, /\n\n> /);
});

test("Server: reports pull requests, reviewers and comments", () => {
  const PR = "[pull request #7](https://bs.example/7)";
  const HAMLET = "[Hamlet](https://bs.example/hamlet)";
  for (const [eventKey, sentence, more] of [
    ["pr:opened", `opened ${PR} from \`warm\` to \`main\`:\n\n> Body\n\nReviewers: ${HAMLET}`],
    ["pr:merged", `merged ${PR} from \`warm\` to \`main\`.`],
    ["pr:declined", `declined ${PR}.`],
    ["pr:from_ref_updated", `pushed commits to ${PR}.`],
    ["pr:reviewer:needs_work", `asked for work on ${PR}.`],
    ["pr:reviewer:updated", `asked Hamlet to review ${PR}.`],
    [
      "pr:reviewer:updated",
      `removed all reviewers of ${PR}.`,
      { addedReviewers: [], pullRequest: { ...server.pullRequest, reviewers: [] } },
    ],
    [
      "pr:reviewer:updated",
      `removed Othello from the reviewers of ${PR}.`,
      { addedReviewers: [], removedReviewers: [{ name: "Othello" }] },
    ],
    ["pr:comment:edited", `edited a comment on ${PR}:\n\n> Why?`],
  ] as [string, string, object?][]) {
    const { event, topic, content } = onServer(eventKey, more);
    assert.deepEqual([event, topic, content], [eventKey, "hearth / PR #7 Warm", `${SERVER_IAGO} ${sentence}`]);
  }
});

test("Server: reports other events and accepts the header-only ping", () => {
  assert.deepEqual(onServer("repo:forked").topic, "fire");
  assert.equal(onServer("repo:modified").content, `${SERVER_IAGO} renamed fire to hearth.`);
  assert.equal(onServer("repo:comment:added").content, `${SERVER_IAGO} commented on the commit ${COMMIT}:\n\n> Why?`);
  assert.equal(messageOf("bitbucket3", { test: true }, key("diagnostics:ping")).topic, "Bitbucket Server Ping");
  assert.equal(
    fate("bitbucket3", { ...server, eventKey: "mirror:repo_synchronized" }),
    "unsupported mirror:repo_synchronized",
  );
});
