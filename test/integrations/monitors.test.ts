import assert from "node:assert/strict";
import test from "node:test";
import { alertmanager, grafana, healthchecks, kuma, oldGrafana, uptimeRobot } from "./payloads.ts";
import { fate, messageOf, messagesOf, outcome } from "./requests.ts";

test("Grafana: shows the labels, values, annotations and links of an alert", () => {
  assert.deepEqual(messageOf("grafana", grafana), {
    event: "firing",
    topic: "[Too hot]",
    content: `🔴 **Too hot** is firing, since <time:2025-01-01T00:00:00Z>.

Labels:
- zone: living room

Values:
- A: 451

Annotations:
- summary: Take a log out.

[Graph](https://graf.example/g) · [Dashboard](https://graf.example/d) · [Silence](https://graf.example/s)

*Grafana left out 2 more.*`,
  });
});

test("Grafana: uses the fingerprint without a name, and shows the end time", () => {
  const [first] = grafana.alerts;
  const alerts = [{ ...first, status: "resolved", labels: {}, values: null, endsAt: "2025-01-01T01:00:00Z" }];
  const { event, topic, content } = messageOf("grafana", { alerts });
  assert.deepEqual([event, topic], ["resolved", "[c0ffee]"]);
  assert.match(
    content,
    /^🟢 \*\*c0ffee\*\* is resolved, since <time:.*> until <time:2025-01-01T01:00:00Z>\.\n\nValues:\n- all: `/,
  );
  assert.equal(fate("grafana", { alerts: [] }), "ignored");
});

test("Grafana 7: reports alerts", () => {
  assert.deepEqual(messageOf("grafana", oldGrafana), {
    event: "alerting",
    topic: "[Alerting] Too hot",
    content: `🔴 [Too hot](https://graf.example/r) is alerting.

> Take a log out.

- Heat: 451
- Ash: none

[Image](https://graf.example/i.png)`,
  });
  const bare = { title: "T", ruleName: "R", state: "no_data", evalMatches: null };
  assert.equal(messageOf("grafana", bare).content, "🟡 R is no data.");
});

test("Alertmanager: groups alerts by subject, firing ones first", () => {
  const GRAPH = "[graph](http://prom.example/graph?g0.expr=up&g0.tab=0)";
  const aside = `(severity page, since <time:2025-01-01T00:00:00Z>, ${GRAPH}): Look at it.`;
  assert.deepEqual(messagesOf("alertmanager", alertmanager), [
    { topic: "a:1", content: `🔴 **firing** for a:1:\n- Hot ${aside}\n- Ash ${aside}` },
    { topic: "b:1", content: `🟢 **resolved**: Up ${aside}` },
  ]);
});

test("Alertmanager: other labels can group and describe", () => {
  const messages = messagesOf("alertmanager", alertmanager, { query: { name: "severity", desc: "summary" } });
  assert.deepEqual(
    messages.map(({ topic }) => topic),
    ["page", "page"],
  );
  assert.match(messages[1]!.content, /^🟢 \*\*resolved\*\*: Look at it\. \(severity page, since .*\)$/);
  const [message] = messagesOf("alertmanager", alertmanager, { query: { name: "zone", desc: "cause" } });
  assert.equal(message!.topic, "(unknown)");
  assert.match(message!.content, /- \(the alert has no cause\)/);
});

test("Alertmanager: shows no text twice", () => {
  const [first] = alertmanager.alerts;
  const of = (desc: string, annotations: object) =>
    messageOf("alertmanager", { ...alertmanager, alerts: [{ ...first, annotations }] }, { query: { desc } }).content;
  assert.equal(of("description", { description: "Too hot." }).split("Too hot.").length, 2);
  assert.match(of("description", { summary: "Hot", description: "Too hot." }), /Too hot\. \(.*\): Hot$/);
  assert.equal(of("alertname", { summary: "Up" }).match(/\bUp\b/g)?.length, 1);
  assert.equal(of("severity", {}).match(/page/g)?.length, 1);
});

test("Uptime Kuma: shows state, URL and reason", () => {
  assert.deepEqual(messageOf("uptimekuma", kuma), {
    event: "down",
    topic: "Chimney",
    content: `🔴 **Chimney** is down, <time:2025-01-01T00:00:00Z>.

- Address: [https://chimney.example](https://chimney.example)
- Reason: timeout of 48000ms exceeded
- Response time: 12 ms`,
  });
  const monitor = { ...kuma.monitor, url: "https://", hostname: "chimney", port: 8080 };
  const up = messageOf("uptimekuma", { ...kuma, heartbeat: { status: 1, msg: "N/A" }, monitor });
  assert.deepEqual([up.event, up.content], ["up", "🟢 **Chimney** is up.\n\n- Address: chimney:8080"]);
  assert.equal(messageOf("uptimekuma", { ...kuma, heartbeat: { status: 3 } }).event, "maintenance");
});

test("Uptime Kuma: accepts the test button, forms and GET", () => {
  const button = { heartbeat: null, monitor: null, msg: "Kuma Testing" };
  assert.deepEqual(messageOf("uptimekuma", button), { event: "other", topic: "Uptime Kuma", content: "Kuma Testing" });
  assert.equal(messageOf("uptimekuma", "…", { form: { data: JSON.stringify(kuma) } }).topic, "Chimney");
  const { heartbeat, monitor, msg } = kuma;
  const query = { msg, heartbeat: JSON.stringify(heartbeat), monitor: JSON.stringify(monitor) };
  assert.equal(messageOf("uptimekuma", "", { method: "GET", query }).topic, "Chimney");
  assert.equal(messageOf("uptimekuma", "", { method: "GET", query: { msg, heartbeat: "null" } }).topic, "Uptime Kuma");
});

test("UptimeRobot: reports all types and omits placeholders", () => {
  assert.deepEqual(messageOf("uptimerobot", uptimeRobot), {
    event: "down",
    topic: "Chimney",
    content: `🔴 **Chimney** is down.

- Address: [https://chimney.example](https://chimney.example)
- Details: Connection Timeout`,
  });
  const of = (more: object) => messageOf("uptimerobot", { ...uptimeRobot, ...more });
  assert.match(
    of({ alert_type_friendly_name: "Up", alert_friendly_duration: "3 min" }).content,
    /^🟢 \*\*Chimney\*\* is up\.[\s\S]*- Was down for: 3 min$/,
  );
  assert.match(of({ alert_type_friendly_name: "SSL expiry" }).content, /^🟡 \*\*Chimney\*\* – SSL expiry\./);
  assert.throws(() => outcome("uptimerobot", {}), { data: { path: "monitor_friendly_name" } });
});

test("Healthchecks: accepts the documented body, each field optional", () => {
  assert.deepEqual(messageOf("healthchecksio", healthchecks), {
    event: "down",
    topic: "Backup",
    content: `🔴 **Backup** is down, <time:2025-01-01T00:00:00Z>.

- Last ping: <time:2024-12-30T00:00:00Z>
- Expected: every 24 hours
- Grace time: 60 minutes
- Tags: db prod

> Of the ash.`,
  });
  assert.equal(messageOf("healthchecksio", { status: "up" }).content, "🟢 **A check** is up.");
  const byGet = messageOf("healthchecksio", "", { method: "GET", query: { name: "Backup", status: "up" } });
  assert.equal(byGet.content, "🟢 **Backup** is up.");
  assert.throws(() => outcome("healthchecksio", {}), { code: "BAD_REQUEST", data: { path: "status" } });
});
