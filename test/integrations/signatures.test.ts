import assert from "node:assert/strict";
import test from "node:test";
import { hmac, integration, NOW, request } from "./requests.ts";

const SECRET = "It is a secret";
const BODY = '{"a": "ä"}';
const URL = request("").url;

const verify = (name: string, headers: Record<string, string>, body = BODY) =>
  integration(name).verify!(request(body, { headers }), SECRET);

for (const [name, header, signature] of [
  ["github", "X-Hub-Signature-256", `sha256=${hmac(SECRET, BODY)}`],
  ["githubsponsors", "X-Hub-Signature-256", `sha256=${hmac(SECRET, BODY)}`],
  ["gitlab", "X-Gitlab-Token", SECRET],
  ["gitea", "X-Gitea-Signature", hmac(SECRET, BODY)],
  ["gitea", "X-Hub-Signature-256", `sha256=${hmac(SECRET, BODY)}`],
  ["forgejo", "X-Forgejo-Signature", hmac(SECRET, BODY)],
  ["gogs", "X-Gogs-Signature", hmac(SECRET, BODY)],
  ["bitbucket2", "X-Hub-Signature", `sha256=${hmac(SECRET, BODY)}`],
  ["bitbucket3", "X-Hub-Signature", `sha256=${hmac(SECRET, BODY)}`],
  ["jira", "X-Hub-Signature", `sha256=${hmac(SECRET, BODY)}`],
  ["sentry", "Sentry-Hook-Signature", hmac(SECRET, BODY)],
  ["grafana", "X-Grafana-Alerting-Signature", hmac(SECRET, BODY)],
  ["trello", "X-Trello-Webhook", hmac(SECRET, BODY + URL, "sha1", "base64")],
  ["stripe", "Stripe-Signature", `t=${NOW - 300},v1=${hmac(SECRET, `${NOW - 300}.${BODY}`)}`],
] as const) {
  test(`${name}: verifies ${header} over the body's bytes`, () => {
    assert.equal(verify(name, { [header]: signature }), true);
    assert.equal(verify(name, { [header]: `${signature}0` }), false, "another signature");
    assert.equal(verify(name, { [header]: "x" }), false, "another length");
    if (name !== "gitlab") assert.equal(verify(name, { [header]: signature }, `${BODY} `), false, "another body");
    assert.equal(verify(name, {}), undefined, "none");
  });
}

test("GitHub's SHA-1 signature is ignored", () => {
  assert.equal(verify("github", { "X-Hub-Signature": `sha1=${hmac(SECRET, BODY, "sha1")}` }), undefined);
});

test("Stripe's signature expires and may be one of several", () => {
  const at = (seconds: number) => `t=${seconds},v1=${hmac(SECRET, `${seconds}.${BODY}`)}`;
  const check = (signature: string) => verify("stripe", { "Stripe-Signature": signature });
  assert.deepEqual([check(at(NOW)), check(at(NOW - 301)), check(at(NOW + 301))], [true, false, false]);
  assert.equal(check(`t=${NOW},v1=old,v1=${hmac(SECRET, `${NOW}.${BODY}`)},v0=x`), true);
  assert.equal(check(`t=${NOW - 10},v1=${hmac(SECRET, `${NOW}.${BODY}`)}`), false, "the time is signed");
  assert.deepEqual(
    [check("t=x,v1="), check("nonsense"), check(`v1=${hmac(SECRET, `.${BODY}`)}`)],
    [false, false, false],
  );
});

test("Slack's signature covers its time", () => {
  const check = (at: number | string, signed = at) =>
    verify("slack_incoming", {
      "X-Slack-Request-Timestamp": String(at),
      "X-Slack-Signature": `v0=${hmac(SECRET, `v0:${signed}:${BODY}`)}`,
    });
  assert.deepEqual([check(NOW), check(NOW - 301), check(NOW, NOW - 1), check("x")], [true, false, false, false]);
  assert.equal(verify("slack_incoming", {}), undefined);
});

test("Grafana's signature covers its time if there is one", () => {
  const check = (at: number) =>
    verify("grafana", {
      "X-Grafana-Alerting-Timestamp": String(at),
      "X-Grafana-Alerting-Signature": hmac(SECRET, `${at}:${BODY}`),
    });
  assert.deepEqual([check(NOW), check(NOW - 301)], [true, false]);
});

test("senders without signatures have no check", () => {
  for (const name of ["json", "alertmanager", "uptimekuma", "uptimerobot", "healthchecksio", "homeassistant"]) {
    assert.equal(integration(name).verify, undefined);
  }
});
