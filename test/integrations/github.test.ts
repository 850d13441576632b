import assert from "node:assert/strict";
import test from "node:test";
import { fate, messageOf, outcome, type Sent } from "./requests.ts";

const repository = {
  name: "hearth",
  full_name: "octo/hearth",
  html_url: "https://github.com/octo/hearth",
  private: false,
};
const sender = { login: "iago", html_url: "https://github.com/iago" };
const hamlet = { login: "hamlet", html_url: "https://github.com/hamlet" };
const base = { repository, sender };
const IAGO = "[iago](https://github.com/iago)";
const as = (event: string, more: Sent = {}): Sent => ({ ...more, headers: { "X-GitHub-Event": event } });

const commit = (index: number, author = "iago") => ({
  id: `${index}`.repeat(40).slice(0, 40),
  url: `https://github.com/octo/hearth/commit/${index}`,
  message: `Change number ${index}.\n\nIn more words.`,
  author: { username: author, name: author },
});
export const push = {
  ...base,
  ref: "refs/heads/main",
  compare: "https://github.com/octo/hearth/compare/a...b",
  commits: [commit(1), commit(2)],
  forced: false,
  deleted: false,
};

test("a push shows author, location and commits", () => {
  assert.deepEqual(messageOf("github", push, as("push")), {
    event: "push_commits",
    topic: "hearth / main",
    content: `${IAGO} pushed [2 commits](https://github.com/octo/hearth/compare/a...b) to \`main\`.

- Change number 1. ([11111111111](https://github.com/octo/hearth/commit/1))
- Change number 2. ([22222222222](https://github.com/octo/hearth/commit/2))`,
  });
});

test("names authors other than the pusher", () => {
  const by = (...authors: string[]) =>
    messageOf("github", { ...push, commits: authors.map((author) => commit(1, author)) }, as("push")).content.split(
      "\n",
    )[0]!;
  assert.match(by("hamlet"), /`main`\. Commits by hamlet \(1\)\.$/);
  assert.match(by("b", "a", "iago", "iago", "c", "d"), /Commits by iago \(2\), a \(1\), b \(1\) and others \(2\)\.$/);
  assert.doesNotMatch(by("iago", "iago"), /Commits by/);
});

test("lists twenty commits and counts the rest", () => {
  const commits = Array.from({ length: 23 }, (_, index) => commit(index + 1));
  const rows = messageOf("github", { ...push, commits }, as("push"))
    .content.split("\n")
    .slice(2);
  assert.equal(rows.length, 21);
  assert.equal(rows.at(-1), "- and 3 more commits");
});

test("reports pushes without commits, force pushes, tags and deleted branches", () => {
  const pushed = (more: object) => messageOf("github", { ...push, commits: [], ...more }, as("push"));
  assert.match(pushed({}).content, /pushed \[the branch\]\(.*\) `main`\.$/);
  assert.match(pushed({ forced: true }).content, /force-pushed \[the branch\]/);
  assert.equal(pushed({ deleted: true }).content, `${IAGO} deleted the branch \`main\`.`);
  const tag = pushed({ ref: "refs/tags/v1.0", created: true });
  assert.deepEqual([tag.event, tag.topic], ["push_tags", "hearth"]);
  assert.equal(tag.content, `${IAGO} pushed the tag [v1.0](https://github.com/octo/hearth/releases/tag/v1.0).`);
  assert.equal(pushed({ ref: "refs/tags/v1.0", deleted: true }).content, `${IAGO} removed the tag v1.0.`);
});

test("reports moved tags", () => {
  const [zeros, from, to] = ["0", "1", "2"].map((digit) => digit.repeat(40));
  const of = (more: object) => messageOf("github", { ...push, ref: "refs/tags/v1", ...more }, as("push")).content;
  for (const forced of [true, false]) {
    assert.match(of({ before: from, after: to, created: false, deleted: false, forced }), / moved the tag \[v1\]/);
  }
  assert.match(of({ before: zeros, after: to }), / pushed the tag \[v1\]/);
  assert.match(of({ before: from, after: zeros, created: false }), / removed the tag v1\.$/);
});

test("branches, the merge queue and private repositories can be excluded", () => {
  const branches = (list: string) => fate("github", push, as("push", { query: { branches: list } }));
  assert.deepEqual(
    [branches("release, main"), branches("release"), branches("mai*")],
    ["messages", "ignored", "ignored"],
  );
  const tag = { ...push, ref: "refs/tags/v1.0", created: true };
  assert.equal(fate("github", tag, as("push", { query: { branches: "release" } })), "messages", "tags stay");
  assert.equal(fate("github", { ...push, ref: "refs/heads/gh-readonly-queue/main/pr-1" }, as("push")), "ignored");
  const secret = { ...push, repository: { ...repository, private: true } };
  assert.equal(fate("github", secret, as("push")), "messages");
  const query = { ignore_private_repositories: "true" };
  assert.deepEqual(
    [fate("github", secret, as("push", { query })), fate("github", push, as("push", { query }))],
    ["ignored", "messages"],
  );
  assert.throws(() => fate("github", push, as("push", { query: { ignore_private_repositories: "perhaps" } })), {
    code: "BAD_REQUEST",
  });
});

const pullRequest = {
  number: 7,
  title: "Warm the hearth",
  html_url: "https://github.com/octo/hearth/pull/7",
  body: "It is cold.\n\n<!-- a template's words -->",
  head: { label: "iago:warm", ref: "warm" },
  base: { label: "octo:main", ref: "main" },
  assignee: null,
  merged: false,
  draft: false,
};
const PR = "[pull request #7](https://github.com/octo/hearth/pull/7)";
const onPullRequest = (action: string, more: object = {}, part: object = {}) =>
  messageOf("github", { ...base, action, pull_request: { ...pullRequest, ...part }, ...more }, as("pull_request"));

test("an opened pull request shows its branches and text", () => {
  assert.deepEqual(onPullRequest("opened"), {
    event: "opened_pull_request",
    topic: "hearth / PR #7 Warm the hearth",
    content: `${IAGO} opened ${PR} from \`iago:warm\` to \`octo:main\`:\n\n> It is cold.`,
  });
  const assigned = onPullRequest("opened", {}, { body: null, assignee: hamlet }).content;
  assert.equal(assigned, `${IAGO} opened ${PR} from \`iago:warm\` to \`octo:main\`, assigned to hamlet.`);
});

test("reports each pull request action in its own words", () => {
  for (const [action, event, sentence, more, part] of [
    ["reopened", "opened_pull_request", `reopened ${PR}.`],
    ["synchronize", "updated_pull_request", `pushed commits to ${PR}.`],
    ["edited", "updated_pull_request", `edited ${PR}.`, { changes: { title: { from: "x" } } }],
    ["edited", "updated_pull_request", `edited ${PR}:\n\n> It is cold.`, { changes: { body: { from: "x" } } }],
    ["closed", "closed_pull_request", `closed ${PR} without a merge.`],
    ["closed", "closed_pull_request", `merged ${PR} from \`iago:warm\` to \`octo:main\`.`, {}, { merged: true }],
    [
      "assigned",
      "assigned_or_unassigned_pull_request",
      `assigned [hamlet](https://github.com/hamlet) to ${PR}.`,
      { assignee: hamlet },
    ],
    [
      "unassigned",
      "assigned_or_unassigned_pull_request",
      `took [hamlet](https://github.com/hamlet) off ${PR}.`,
      { assignee: hamlet },
    ],
    [
      "review_requested",
      "pull_request_review_requested",
      `asked [hamlet](https://github.com/hamlet) to review ${PR}.`,
      { requested_reviewer: hamlet },
    ],
    [
      "review_requested",
      "pull_request_review_requested",
      `asked [Stokers](https://github.com/orgs/octo/teams/s) to review ${PR}.`,
      { requested_team: { name: "Stokers", html_url: "https://github.com/orgs/octo/teams/s" } },
    ],
    ["ready_for_review", "pull_request_ready_for_review", `marked ${PR} as ready for review.`],
    ["locked", "locked_or_unlocked_pull_request", `locked ${PR}.`, {}, { active_lock_reason: null }],
    ["locked", "locked_or_unlocked_pull_request", `locked ${PR} as spam.`, {}, { active_lock_reason: "spam" }],
    ["unlocked", "locked_or_unlocked_pull_request", `unlocked ${PR}.`],
    ["auto_merge_enabled", "pull_request_auto_merge", `enabled automatic merging of ${PR}.`],
    ["auto_merge_disabled", "pull_request_auto_merge", `disabled automatic merging of ${PR}.`],
    ["enqueued", "pull_request_merge_queue", `put ${PR} into the merge queue.`],
  ] as [string, string, string, object?, object?][]) {
    const message = onPullRequest(action, more, part);
    assert.deepEqual([message.event, message.content], [event, `${IAGO} ${sentence}`]);
  }
});

test("ignores unimportant actions and names unknown ones", () => {
  const of = (action: string) => fate("github", { ...base, action, pull_request: pullRequest }, as("pull_request"));
  for (const action of ["approved", "converted_to_draft", "labeled", "unlabeled", "review_request_removed"]) {
    assert.equal(of(action), "ignored");
  }
  assert.equal(of("demilestoned"), "unsupported pull_request:demilestoned");
  assert.equal(fate("github", base, as("sub_issues")), "unsupported sub_issues");
  for (const header of ["check_suite", "label", "meta", "milestone", "organization", "project_card"]) {
    assert.equal(fate("github", base, as(header)), "ignored");
  }
});

test("a review shows its verdict", () => {
  const review = (state: string, action = "submitted", more: object = {}) =>
    messageOf(
      "github",
      {
        ...base,
        action,
        pull_request: pullRequest,
        review: { state, body: "Well.", html_url: "https://g.h/r" },
        ...more,
      },
      as("pull_request_review"),
    ).content;
  assert.equal(review("approved"), `${IAGO} [approved](https://g.h/r) ${PR}:\n\n> Well.`);
  assert.match(review("changes_requested"), /\[requested changes on\]/);
  assert.match(review("commented"), /\[reviewed\]/);
  assert.equal(review("dismissed", "dismissed"), `${IAGO} dismissed [a review](https://g.h/r) of ${PR}.`);
  const edited = { ...base, action: "edited", pull_request: pullRequest, review: {}, changes: {} };
  assert.equal(fate("github", edited, as("pull_request_review")), "ignored");
});

test("quotes new comments on a diff", () => {
  const comment = { html_url: "https://g.h/c", body: "Why?" };
  const of = (action: string) =>
    messageOf("github", { ...base, action, pull_request: pullRequest, comment }, as("pull_request_review_comment"))
      .content;
  assert.equal(of("created"), `${IAGO} [commented](https://g.h/c) on ${PR}:\n\n> Why?`);
  assert.equal(of("deleted"), `${IAGO} deleted [a comment](https://g.h/c) on ${PR}.`);
});

const issue = { number: 3, title: "Smoke", html_url: "https://github.com/octo/hearth/issues/3", body: "It smokes." };
const ISSUE = "[issue #3](https://github.com/octo/hearth/issues/3)";
const onIssue = (action: string, more: object = {}) =>
  messageOf("github", { ...base, action, issue, ...more }, as("issues"));

test("reports each issue action in its own words", () => {
  assert.deepEqual(onIssue("opened"), {
    event: "issues",
    topic: "hearth / issue #3 Smoke",
    content: `${IAGO} opened ${ISSUE}:\n\n> It smokes.`,
  });
  const otherIssue = { number: 9, html_url: "https://github.com/octo/attic/issues/9" };
  const attic = { full_name: "octo/attic" };
  const link = "[octo/attic#9](https://github.com/octo/attic/issues/9)";
  for (const [action, event, sentence, more] of [
    ["closed", "issues", `closed ${ISSUE}.`],
    ["edited", "issues", `edited ${ISSUE}:\n\n> It smokes.`],
    ["edited", "issues", `edited ${ISSUE}.`, { changes: { title: { from: "Fog" } } }],
    ["assigned", "issues", `assigned [hamlet](https://github.com/hamlet) to ${ISSUE}.`, { assignee: hamlet }],
    ["labeled", "issue_labeled_or_unlabeled", `added the label bug to ${ISSUE}.`, { label: { name: "bug" } }],
    ["unlabeled", "issue_labeled_or_unlabeled", `removed the label bug from ${ISSUE}.`, { label: { name: "bug" } }],
    [
      "milestoned",
      "issue_milestoned_or_demilestoned",
      `added ${ISSUE} to the milestone [v1](https://g.h/m).`,
      { milestone: { title: "v1", html_url: "https://g.h/m" } },
    ],
    [
      "transferred",
      "issues_transferred",
      `moved ${ISSUE} to ${link}.`,
      { changes: { new_issue: otherIssue, new_repository: attic } },
    ],
    [
      "opened",
      "issues_opened_via_transfer",
      `moved ${ISSUE} here from ${link}.`,
      { changes: { old_issue: otherIssue, old_repository: attic } },
    ],
  ] as [string, string, string, object?][]) {
    const message = onIssue(action, more);
    assert.deepEqual([message.event, message.content], [event, `${IAGO} ${sentence}`]);
  }
});

test("comments use the topic of their issue or pull request", () => {
  const comment = { html_url: "https://g.h/c", body: "Open a window." };
  const of = (action: string, more: object = {}) =>
    messageOf("github", { ...base, action, issue: { ...issue, ...more }, comment }, as("issue_comment"));
  assert.deepEqual(of("created"), {
    event: "issue_comment",
    topic: "hearth / issue #3 Smoke",
    content: `${IAGO} [commented](https://g.h/c) on ${ISSUE}:\n\n> Open a window.`,
  });
  assert.equal(of("created", { pull_request: {} }).topic, "hearth / PR #3 Smoke");
  assert.equal(of("deleted").content, `${IAGO} deleted [a comment](https://g.h/c) on ${ISSUE}.`);
  const unchanged = { ...base, action: "edited", issue, comment, changes: { body: { from: comment.body } } };
  assert.equal(fate("github", unchanged, as("issue_comment")), "ignored");
  const onCommit = messageOf(
    "github",
    { ...base, action: "created", comment: { ...comment, commit_id: "abcdef0123456789" } },
    as("commit_comment"),
  );
  assert.equal(onCommit.topic, "hearth");
  assert.equal(onCommit.content, `${IAGO} commented on the commit [abcdef01234](https://g.h/c):\n\n> Open a window.`);
});

test("discussions have their own topic", () => {
  const discussion = { number: 5, title: "Logs", body: "Oak?", html_url: "https://g.h/d", category: { name: "Ideas" } };
  const opened = messageOf("github", { ...base, action: "created", discussion }, as("discussion"));
  assert.equal(opened.topic, "hearth discussion #5: Logs");
  assert.equal(opened.content, `${IAGO} started [discussion #5](https://g.h/d) in Ideas:\n\n> Oak?`);
  const comment = { html_url: "https://g.h/c", body: "Beech." };
  const answered = messageOf("github", { ...base, action: "created", discussion, comment }, as("discussion_comment"));
  assert.equal(answered.content, `${IAGO} [commented](https://g.h/c) on [discussion #5](https://g.h/d):\n\n> Beech.`);
});

test("reports repository events in one sentence", () => {
  const REPOSITORY = "[octo/hearth](https://github.com/octo/hearth)";
  const HAMLET = "[hamlet](https://github.com/hamlet)";
  for (const [header, payload, content, topic = "hearth"] of [
    ["create", { ref_type: "branch", ref: "warm" }, `${IAGO} created the branch \`warm\`.`],
    ["delete", { ref_type: "tag", ref: "v1" }, `${IAGO} deleted the tag \`v1\`.`],
    [
      "release",
      { action: "published", release: { name: "One", tag_name: "v1", html_url: "https://g.h/v1" } },
      `${IAGO} published the release [One](https://g.h/v1) (tag v1).`,
    ],
    [
      "fork",
      { forkee: { name: "chimney", html_url: "https://g.h/f" } },
      `${IAGO} forked ${REPOSITORY} as [chimney](https://g.h/f).`,
    ],
    ["star", { action: "created" }, `${IAGO} starred ${REPOSITORY}.`],
    ["star", { action: "deleted" }, `${IAGO} took back the star of ${REPOSITORY}.`],
    ["watch", { action: "started" }, `${IAGO} starred ${REPOSITORY}.`],
    ["repository", { action: "archived" }, `${IAGO} archived the repository ${REPOSITORY}.`],
    ["public", {}, `${IAGO} made the repository ${REPOSITORY} public.`],
    ["team_add", { team: { name: "Stokers" } }, `The team Stokers was given the repository ${REPOSITORY}.`],
    ["member", { action: "added", member: hamlet }, `${IAGO} added ${HAMLET} to ${REPOSITORY}.`],
    [
      "membership",
      { action: "removed", member: hamlet, team: { name: "Stokers" }, organization: { login: "octo" } },
      `${IAGO} removed ${HAMLET} from the team Stokers.`,
      "octo organization",
    ],
    [
      "team",
      { action: "edited", team: { name: "Stokers" }, changes: { name: { from: "Wood" } } },
      `${IAGO} renamed the team Wood to Stokers`,
      "team Stokers",
    ],
    [
      "gollum",
      { pages: [{ action: "created", title: "Home", html_url: "https://g.h/w" }] },
      `${IAGO} changed the wiki:\n\n- created [Home](https://g.h/w)`,
      "hearth / wiki pages",
    ],
    ["ping", { zen: "…" }, `${IAGO} set up the webhook of ${REPOSITORY}: its messages arrive.`],
  ] as [string, object, string, string?][]) {
    const message = messageOf("github", { ...base, ...payload }, as(header));
    assert.deepEqual([message.event, message.topic, message.content], [header, topic, content]);
  }
});

test("reports the results of checks, deployments and alerts", () => {
  const run = {
    name: "build",
    html_url: "https://g.h/b",
    status: "completed",
    conclusion: "failure",
    head_sha: "abcdef0123456789",
  };
  for (const [header, payload, content, topic] of [
    [
      "check_run",
      { check_run: run },
      "❌ The check [build](https://g.h/b) of [abcdef01234](https://github.com/octo/hearth/commit/abcdef0123456789) ended: failure.",
      "hearth / checks",
    ],
    [
      "workflow_run",
      {
        action: "completed",
        workflow_run: {
          name: "CI",
          run_number: 4,
          conclusion: "success",
          head_branch: "main",
          html_url: "https://g.h/w",
        },
      },
      "✅ The workflow [CI #4](https://g.h/w) on main ended: success.",
      "hearth / checks",
    ],
    [
      "status",
      { sha: "abcdef0123456789", state: "pending", target_url: null, commit: { html_url: "https://g.h/c" } },
      "The status of [abcdef01234](https://g.h/c) is now pending.",
      "hearth",
    ],
    [
      "deployment",
      { deployment: { environment: "production" } },
      `${IAGO} began a deployment on production.`,
      "hearth / Deployment on production",
    ],
    [
      "deployment_status",
      { deployment: { environment: "production" }, deployment_status: { state: "success" } },
      "✅ The deployment on production is now success.",
      "hearth / Deployment on production",
    ],
    [
      "page_build",
      { build: { status: "errored", error: { message: "No index." }, pusher: { login: "hamlet" } } },
      "The build of the pages that hamlet started is now errored:\n\n> No index.",
      "hearth",
    ],
    [
      "dependabot_alert",
      {
        action: "created",
        alert: {
          number: 2,
          html_url: "https://g.h/a",
          security_advisory: { summary: "It burns", severity: "high" },
          dependency: { package: { name: "logs" } },
        },
      },
      `${IAGO}: [Dependabot alert #2](https://g.h/a) created (severity high, package logs): It burns`,
      "hearth / alerts",
    ],
  ] as [string, object, string, string][]) {
    const message = messageOf("github", { ...base, ...payload }, as(header));
    assert.deepEqual([message.content, message.topic], [content, topic]);
  }
  assert.equal(fate("github", { ...base, check_run: { ...run, status: "queued" } }, as("check_run")), "ignored");
  assert.equal(fate("github", { ...base, action: "requested", workflow_run: {} }, as("workflow_run")), "ignored");
});

test("reports sponsors by either header at either URL", () => {
  const sponsorship = { tier: { name: "$5 a month" }, privacy_level: "public", sponsorable: { login: "octo" } };
  const payload = { sender, action: "created", sponsorship };
  const expected = { event: "created", topic: "sponsors", content: `${IAGO} became a sponsor: $5 a month (of octo).` };
  assert.deepEqual(messageOf("githubsponsors", payload, as("sponsorship")), expected);
  assert.deepEqual(messageOf("github", payload, as("created")), expected);
  const change = {
    ...payload,
    action: "pending_tier_change",
    changes: { tier: { from: { name: "$9 a month" } } },
    effective_date: "2025-02-01T00:00:00Z",
  };
  assert.equal(
    messageOf("githubsponsors", change, as("sponsorship")).content,
    `${IAGO} will change from $9 a month to $5 a month from <time:2025-02-01T00:00:00Z> (of octo).`,
  );
  assert.equal(fate("github", { ...payload, action: "x" }, as("sponsorship")), "unsupported sponsorship:x");
});

test("a topic in the URL moves the title into the message", () => {
  const { topic, content } = messageOf(
    "github",
    { ...base, action: "closed", issue },
    as("issues", { query: { topic: "code" } }),
  );
  assert.equal(topic, "code");
  assert.equal(content, `${IAGO} closed [issue #3 Smoke](https://github.com/octo/hearth/issues/3).`);
});

test("accepts a form with the field payload", () => {
  const form = { payload: JSON.stringify(push) };
  assert.equal(messageOf("github", "payload=…", as("push", { form })).topic, "hearth / main");
});

test("requires the header and a JSON payload", () => {
  assert.throws(() => outcome("github", push), {
    code: "MISSING_HTTP_EVENT_HEADER",
    status: 400,
    data: { header: "X-GitHub-Event" },
  });
  assert.throws(() => outcome("github", "{", as("push")), { code: "BAD_REQUEST", status: 400 });
  assert.throws(() => outcome("github", "[]", as("push")), /must be a JSON object/);
});

test("names missing fields by path and omits optional details", () => {
  const broken = { ...push, commits: [{ ...commit(1), id: null }] };
  assert.throws(() => outcome("github", broken, as("push")), { code: "BAD_REQUEST", data: { path: "commits.0.id" } });
  assert.throws(() => outcome("github", { ...push, repository: [] }, as("push")), /repository\.name is missing/);
  const numbered = { ...push, repository: { ...push.repository, name: [7] } };
  assert.throws(() => outcome("github", numbered, as("push")), /repository\.name must be text/);
  const bare = { ref: "refs/heads/main", repository: { name: "hearth" }, commits: [{ id: "abc" }] };
  assert.equal(
    messageOf("github", bare, as("push")).content,
    "Somebody pushed 1 commit to `main`.\n\n- (no message) (abc)",
  );
});
