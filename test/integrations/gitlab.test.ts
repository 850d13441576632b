import assert from "node:assert/strict";
import test from "node:test";
import { gitlab } from "./payloads.ts";
import { fate, messageOf, outcome, type Sent } from "./requests.ts";

const as = (hook: string, query: Record<string, string> = {}): Sent => ({ headers: { "X-Gitlab-Event": hook }, query });
const LAB = "https://lab.example/octo/hearth";
const of = (hook: string, more: object = {}, query?: Record<string, string>) =>
  messageOf("gitlab", { ...gitlab, ...more }, as(hook, query));
const attributes = (more: object) => ({ object_attributes: { ...gitlab.object_attributes, ...more } });

test("a push links to the comparison and counts unlisted commits", () => {
  const compare = `${LAB}/-/compare/${"a".repeat(40)}...${"b".repeat(40)}`;
  const row = "- One ([0123456789a](https://lab.example/c))";
  assert.deepEqual(of("Push Hook"), {
    event: "Push Hook",
    topic: "hearth / main",
    content: `Iago pushed [1 commit](${compare}) to \`main\`. Commits by Hamlet (1).\n\n${row}`,
  });
  const many = of("Push Hook", { total_commits_count: 30 }).content;
  assert.match(many, /pushed \[30 commits\]/);
  assert.match(many, /- and 29 more commits$/);
  assert.match(of("Push Hook", { before: "0".repeat(40) }).content, /\/-\/commits\/main\)/);
  assert.equal(of("Push Hook", { after: "0".repeat(40), commits: [] }).content, "Iago deleted the branch `main`.");
  assert.equal(fate("gitlab", gitlab, as("Push Hook", { branches: "release" })), "ignored");
});

test("reports pushed, moved and deleted tags", () => {
  const ref = "refs/tags/v1";
  assert.equal(of("Tag Push Hook", { ref }).content, `Iago moved the tag [v1](${LAB}/-/tags/v1).`);
  const added = of("Tag Push Hook", { ref, before: "0".repeat(40) });
  assert.equal(added.content, `Iago pushed the tag [v1](${LAB}/-/tags/v1).`);
  assert.equal(of("Tag Push Hook", { ref, checkout_sha: null }).content, "Iago removed the tag v1.");
});

test("an update shows the description only if it changed", () => {
  const of = (changes: object) =>
    messageOf(
      "gitlab",
      { ...gitlab, ...attributes({ action: "update", description: "Logs" }), changes },
      as("Merge Request Hook"),
    );
  assert.doesNotMatch(of({ title: { previous: "Fog" } }).content, /Logs/);
  assert.match(of({ description: { previous: "Fog" } }).content, /> Logs$/);
});

test("reports issues by their action", () => {
  const opened = of("Issue Hook", attributes({ description: "<!-- fill in -->It smokes." }));
  assert.deepEqual([opened.event, opened.topic], ["Issue Hook open", "hearth / issue #7 Warm"]);
  assert.equal(opened.content, "Iago opened [issue #7](https://lab.example/7), assigned to Hamlet:\n\n> It smokes.");
  const closed = of("Confidential Issue Hook", attributes({ action: "close" }));
  assert.equal(closed.event, "Confidential Issue Hook close");
  assert.equal(closed.content, "Iago closed [issue #7](https://lab.example/7).");
  assert.equal(of("Issue Hook", attributes({ action: undefined })).event, "Issue Hook open");
});

test("reports merge requests by their action", () => {
  const MR = "[merge request #7](https://lab.example/7)";
  const sentence = (more: object) => {
    const { event, content } = of("Merge Request Hook", { ...attributes(more), assignees: [] });
    return [event!.replace("Merge Request Hook ", ""), content];
  };
  assert.deepEqual(sentence({}), ["open", `Iago opened ${MR} from \`warm\` to \`main\`:\n\n> Body`]);
  assert.deepEqual(sentence({ action: "update", oldrev: "a" }), ["update", `Iago added commits to ${MR}.`]);
  assert.deepEqual(sentence({ action: "update" }), ["update", `Iago updated ${MR}:\n\n> Body`]);
  assert.deepEqual(sentence({ action: "merge" }), ["merge", `Iago merged ${MR} from \`warm\` to \`main\`.`]);
  assert.deepEqual(sentence({ action: "approved" }), ["approved", `Iago approved ${MR}.`]);
  assert.deepEqual(sentence({ action: "approval" }), ["approved", `Iago approved ${MR}.`], "one of several");
  assert.deepEqual(sentence({ action: "unapproved" }), ["unapproved", `Iago took back the approval of ${MR}.`]);
  assert.equal(of("Merge Request Hook").topic, "hearth / MR #7 Warm");
  assert.equal(of("Merge Request Hook", {}, { use_merge_request_title: "false" }).topic, "hearth / MR #7");
});

test("notes use the topic of their subject", () => {
  const on = (noteable_type: string) => of("Note Hook", attributes({ noteable_type }));
  const commented = "Iago [commented](https://lab.example/7) on";
  assert.deepEqual(on("MergeRequest"), {
    event: "Note Hook MergeRequest",
    topic: "hearth / MR #7 Warm",
    content: `${commented} [merge request #7](https://lab.example/7):\n\n> Why?`,
  });
  assert.equal(on("Issue").topic, "hearth / issue #3 Smoke");
  assert.equal(on("Snippet").topic, "hearth / snippet #9 Ash");
  assert.equal(on("Snippet").content, `${commented} [snippet #9](${LAB}/-/snippets/9):\n\n> Why?`);
  assert.equal(on("Commit").content, `${commented} the commit [0123456789a](https://lab.example/c):\n\n> Why?`);
  assert.equal(on("Commit").topic, "hearth");
});

test("pipelines and jobs show status and artifact links", () => {
  const { topic, content } = of("Pipeline Hook");
  assert.equal(topic, "hearth / main");
  assert.equal(
    content,
    `✅ The [pipeline #70](${LAB}/-/pipelines/70) of \`main\` is now success:

- [test](${LAB}/-/jobs/5): success – artifacts: [browse](${LAB}/-/jobs/5/artifacts/browse), [download](${LAB}/-/jobs/5/artifacts/download)
- [lint](${LAB}/-/jobs/6): failed`,
  );
  const job = of("Job Hook", { ref: "main", project: undefined });
  assert.equal(job.topic, "hearth / main");
  assert.equal(job.content, `❌ The job [test](${LAB}/-/jobs/5) (stage check) is now failed.`);
  assert.equal(of("Build Hook").event, "Build Hook");
});

test("reports wiki pages, releases and the test button", () => {
  const page = "[Warm](https://lab.example/7)";
  const wiki = of("Wiki Page Hook", attributes({ action: "create" }));
  assert.deepEqual([wiki.event, wiki.content], ["Wiki Page Hook create", `Iago created the wiki page ${page}.`]);
  const release = "The release [One](https://lab.example/v1) (tag v1) was";
  assert.equal(of("Release Hook").content, `${release} published:\n\n> It is warm.`);
  assert.equal(of("Release Hook", { action: "delete", description: null }).content, `${release} deleted.`);
  assert.equal(of("Test Hook").content, `The webhook of [hearth](${LAB}) is set up: it arrives.`);
});

test("a system hook is identified by its inner event", () => {
  assert.equal(of("System Hook").event, "Merge Request Hook open");
  assert.equal(of("System Hook", { event_name: "push", object_kind: "push" }).event, "Push Hook");
  assert.equal(
    fate("gitlab", { ...gitlab, event_name: "user_create" }, as("System Hook")),
    "unsupported User Create Hook",
  );
});

test("a topic in the URL moves project and title into the message", () => {
  const { topic, content } = of("Issue Hook", attributes({ action: "close" }), { topic: "code" });
  assert.equal(topic, "code");
  assert.equal(content, `[hearth](${LAB}): Iago closed [issue #7 Warm](https://lab.example/7).`);
});

test("filters get the hook with its action", () => {
  const query = { only_events: '["Merge Request Hook [om]*"]' };
  assert.equal(fate("gitlab", gitlab, as("Merge Request Hook", query)), "messages");
  assert.equal(
    fate("gitlab", { ...gitlab, ...attributes({ action: "close" }) }, as("Merge Request Hook", query)),
    "ignored",
  );
});

test("names unknown hooks and requires the header", () => {
  assert.equal(fate("gitlab", gitlab, as("Emoji Hook")), "unsupported Emoji Hook");
  assert.equal(
    fate("gitlab", { ...gitlab, ...attributes({ action: "x" }) }, as("Issue Hook")),
    "unsupported Issue Hook x",
  );
  assert.throws(() => outcome("gitlab", gitlab), { code: "MISSING_HTTP_EVENT_HEADER" });
});
