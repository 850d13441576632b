import assert from "node:assert/strict";
import test from "node:test";
import { gitea } from "./payloads.ts";
import { fate, messageOf, outcome, type Sent } from "./requests.ts";

const as = (event: string, more: Sent = {}): Sent => ({ ...more, headers: { "X-Gitea-Event": event } });
const of = (event: string, more: object = {}, sent?: Sent) =>
  messageOf("gitea", { ...gitea, ...more }, as(event, sent));
const TEA = "https://tea.example/octo/hearth";

test("a push shows author, location and commits", () => {
  assert.deepEqual(of("push"), {
    event: "push",
    topic: "hearth / main",
    content:
      "iago pushed [1 commit](https://tea.example/compare) to `main`. Commits by Hamlet (1).\n\n- One ([0123456789a](https://tea.example/c))",
  });
  assert.equal(fate("gitea", gitea, as("push", { query: { branches: "release" } })), "ignored");
  assert.equal(of("push", { ref: "refs/tags/v1" }).content, `iago pushed the tag [v1](${TEA}/src/tag/v1).`);
});

test("reports moved tags", () => {
  const tag = of("push", { ref: "refs/tags/v1", before: "1".repeat(40), after: "2".repeat(40) });
  assert.equal(tag.content, `iago moved the tag [v1](${TEA}/src/tag/v1).`);
});

test("an edited title does not repeat the body", () => {
  const edited = (changes: object) => of("issues", { action: "edited", changes }).content;
  assert.doesNotMatch(edited({ title: { from: "Fog" } }), />/);
  assert.match(edited({ body: { from: "Fog" } }), /\n\n> /);
});

test("reports created branches", () => {
  const { topic, content } = of("create", { ref: "warm" });
  assert.equal(topic, "hearth / warm");
  assert.equal(content, `iago created the branch [warm](${TEA}/src/branch/warm).`);
});

test("identifies pull requests by number, not ID", () => {
  const PR = "[pull request #7](https://tea.example/7)";
  const opened = of("pull_request");
  assert.equal(opened.topic, "hearth / PR #7 Warm");
  assert.equal(opened.content, `iago opened ${PR} from \`warm\` to \`main\`, assigned to hamlet:\n\n> Body`);
  const pull_request = { ...gitea.pull_request, merged: true, merged_by: { username: "othello" } };
  assert.equal(
    of("pull_request", { action: "closed", pull_request }).content,
    `othello merged ${PR} from \`warm\` to \`main\`.`,
  );
  assert.equal(of("pull_request", { action: "edited" }).content, `iago edited ${PR}.`);
  const { head: _head, base: _base, ...rest } = gitea.pull_request;
  const gogs = { ...rest, head_branch: "warm", base_branch: "main" };
  assert.equal(
    of("pull_request", { action: "closed", pull_request: gogs }).content,
    `iago closed ${PR} from \`warm\` to \`main\`.`,
  );
});

test("reports issues and their comments", () => {
  const ISSUE = `[issue #3](${TEA}/issues/3)`;
  assert.equal(of("issues").content, `iago opened ${ISSUE}:\n\n> Body`);
  assert.equal(of("issues", { action: "closed" }).content, `iago closed ${ISSUE}.`);
  const comment = of("issue_comment", { action: "created" });
  assert.equal(comment.content, `iago [commented](https://tea.example/c) on ${ISSUE}:\n\n> Why?`);
  assert.equal(comment.topic, "hearth / issue #3 Smoke");
});

test("reports releases by tag and name", () => {
  const { topic, content } = of("release", { action: "published" });
  assert.equal(topic, "hearth / v1 One");
  assert.equal(content, `iago published the release [One](${TEA}/releases/tag/v1) (tag \`v1\`).`);
});

test("each of three headers works at each of three URLs", () => {
  for (const name of ["gitea", "forgejo", "gogs"]) {
    for (const header of ["X-Gitea-Event", "X-Gogs-Event", "X-Forgejo-Event"]) {
      assert.equal(fate(name, gitea, { headers: { [header]: "push" } }), "messages");
    }
    assert.throws(() => outcome(name, gitea), { code: "MISSING_HTTP_EVENT_HEADER" });
  }
  assert.throws(() => outcome("gogs", gitea), { data: { header: "X-Gogs-Event" } });
});

test("accepts the payload in forms and URLs, and names other events", () => {
  const payload = JSON.stringify(gitea);
  assert.equal(fate("gitea", "payload=…", as("push", { form: { payload } })), "messages");
  assert.equal(fate("gitea", "", as("push", { method: "GET", query: { payload } })), "messages");
  assert.equal(fate("gitea", gitea, as("wiki")), "unsupported wiki");
});
