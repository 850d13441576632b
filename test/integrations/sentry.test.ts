import assert from "node:assert/strict";
import test from "node:test";
import { oldSentry, sentryEvent, sentryIssue, sentryMetric } from "./payloads.ts";
import { fate, messageOf } from "./requests.ts";

const { event } = sentryEvent.data;
const withEvent = (more: object) => ({ data: { event: { ...event, ...more } } });

test("an event shows its source lines", () => {
  assert.deepEqual(messageOf("sentry", sentryEvent), {
    topic: "TypeError: no match",
    content: `🔴 New event: [TypeError: no match](https://sentry.example/e1)

- Level: error
- When: <time:2025-01-01T00:00:00Z>
- File: \`hearth/fire.py\`

\`\`\`python
    def start():
-->     light(None)
        return
\`\`\``,
  });
});

test("an event works without file or lines", () => {
  const { content } = messageOf("sentry", withEvent({ metadata: {}, exception: { values: null } }));
  assert.match(content, /- When: .*$/);
  const logged = messageOf("sentry", withEvent({ exception: undefined, metadata: {}, logentry: {}, level: "info" }));
  assert.match(logged.content, /^🔵 New event/);
});

test("an event without exception or log entry shows what it has", () => {
  const of = (more: object) => messageOf("sentry", withEvent({ exception: undefined, metadata: {}, ...more }));
  const csp = { title: "Blocked 'script' from 'x.example'", type: "csp", culprit: "script-src", message: "Blocked" };
  assert.match(of(csp).content, /New event: \[Blocked .*\n- Where: script-src\n\n> Blocked$/s);
  const occurrence = {
    issueTitle: "Missed check-in",
    subtitle: "nightly",
    evidenceDisplay: [{ name: "Failures", value: "3" }],
  };
  const cron = of({ title: null, occurrence });
  assert.equal(cron.topic, "Missed check-in");
  assert.match(cron.content, /- Failures: 3\n\n> nightly$/);
  assert.equal(
    of({ title: "GET /api", message: "GET /api", transaction: "GET /api" }).content.split("\n").at(-1),
    "- Where: GET /api",
  );
  assert.equal(messageOf("sentry", { data: { error: {} } }).content, "🔵 New event: Event");
});

test("rejects old Raven clients, except for Sentry's sample", () => {
  assert.equal(fate("sentry", withEvent({ version: "6" })), "unsupported Raven SDK");
  assert.equal(fate("sentry", withEvent({ version: "6", title: "This is an example Python exception" })), "messages");
});

test("reports the error resource as an event with the issue's link", () => {
  assert.equal(messageOf("sentry", { action: "created", data: { error: event } }).topic, event.title);
  const plugin = { project_name: "hearth", url: "https://sentry.example/issues/5/?referrer=x", event };
  assert.match(messageOf("sentry", plugin).content, /\(https:\/\/sentry\.example\/issues\/5\/events\/e1\/\)/);
});

test("reports created, assigned, resolved and archived issues", () => {
  const of = (action: string) => messageOf("sentry", { ...sentryIssue, action }).content;
  const ISSUE = "[HEARTH-1](https://sentry.example/i1)";
  assert.equal(
    of("created"),
    `🔴 New issue ${ISSUE}: TypeError: no match

- Level: error
- Last seen: <time:2025-01-01T00:00:00Z>
- Assigned to: the team Stokers`,
  );
  assert.equal(of("assigned"), `Iago assigned ${ISSUE} to the team Stokers.`);
  assert.equal(of("resolved"), `Iago resolved ${ISSUE}.`);
  assert.equal(of("ignored"), `Iago archived ${ISSUE}.`);
  assert.equal(fate("sentry", { ...sentryIssue, action: "x" }), "unsupported issue x");
});

test("reports metric alerts, comments and installations, and names unknown ones", () => {
  assert.deepEqual(messageOf("sentry", sentryMetric), {
    topic: "Errors",
    content:
      "🔴 [Critical: too many errors](https://sentry.example/m1) (critical)\n\n> 1000 events in the last 10 minutes",
  });
  const data = { comment: "On it.", project_slug: "hearth", issue_id: 12 };
  const comment = messageOf("sentry", { action: "created", actor: { name: "Iago" }, data });
  assert.equal(comment.content, "Iago commented on issue 12 of hearth:\n\n> On it.");
  assert.equal(fate("sentry", { action: "created", data: { installation: {} } }), "ignored");
  assert.equal(fate("sentry", { data: { seer: {}, x: 1 } }), "unsupported seer, x");
});

test("the oldest format has a level, URL and message", () => {
  assert.deepEqual(messageOf("sentry", oldSentry), {
    topic: "hearth",
    content: "🟡 [New event](https://sentry.example/o) (warning):\n\n> Ash",
  });
});
