import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingRequest } from "./integration.ts";

/*
 * Signatures cover the original bytes of the body, and are compared in constant time. A check returns undefined if the
 * request has no signature.
 */

export type Verify = (request: IncomingRequest, secret: string) => boolean | undefined;

/** The maximum age of a signature with a time, as Stripe and Slack recommend. */
const MAX_AGE_SECONDS = 300;

// Hashed first, since timingSafeEqual needs equal lengths, and to hide the length of the secret.
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const areEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const hmac = (secret: string, ...parts: (string | Buffer)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHmac("sha256", secret)).digest("hex");

const isRecent = (request: IncomingRequest, seconds: string): boolean =>
  /^\d{1,12}$/.test(seconds) && Math.abs(request.receivedAt - Number(seconds)) <= MAX_AGE_SECONDS;

/** Checks the hex HMAC-SHA256 of the body, after a prefix, in the first of these headers that is present. */
export function bodySignature(...headers: readonly { readonly name: string; readonly prefix?: string }[]): Verify {
  return (request, secret) => {
    for (const { name, prefix = "" } of headers) {
      const given = request.headers[name];
      if (given) return areEqual(given.toLowerCase(), prefix + hmac(secret, request.body));
    }
    return undefined;
  };
}

/** GitHub's older header uses SHA-1, so it is ignored. Atlassian uses its name with SHA-256. */
export const gitHubSignature = bodySignature({ name: "x-hub-signature-256", prefix: "sha256=" });
export const atlassianSignature = bodySignature({ name: "x-hub-signature", prefix: "sha256=" });
export const sentrySignature = bodySignature({ name: "sentry-hook-signature" });
export const giteaSignature = bodySignature(
  { name: "x-forgejo-signature" },
  { name: "x-gitea-signature" },
  { name: "x-gogs-signature" },
  { name: "x-hub-signature-256", prefix: "sha256=" },
);

/** GitLab sends the secret itself. */
export const gitLabToken: Verify = (request, secret) => {
  const given = request.headers["x-gitlab-token"];
  return given ? areEqual(given, secret) : undefined;
};

/** `t=1735689600,v1=…,v1=…`: several signatures while a secret is being replaced. */
export const stripeSignature: Verify = (request, secret) => {
  const given = request.headers["stripe-signature"];
  if (!given) return undefined;
  const fields = given.split(",").map((field) => field.trim().split("=", 2) as [string, string?]);
  const at = fields.find(([key]) => key === "t")?.[1] ?? "";
  const expected = hmac(secret, `${at}.`, request.body);
  const signatures = fields.filter(([key]) => key === "v1").map(([, value = ""]) => areEqual(value, expected));
  return isRecent(request, at) && signatures.includes(true);
};

export const slackSignature: Verify = (request, secret) => {
  const given = request.headers["x-slack-signature"];
  if (!given) return undefined;
  const at = request.headers["x-slack-request-timestamp"] ?? "";
  return areEqual(given, `v0=${hmac(secret, `v0:${at}:`, request.body)}`) && isRecent(request, at);
};

/** Trello also signs the URL, as it was registered. */
export const trelloSignature: Verify = (request, secret) => {
  const given = request.headers["x-trello-webhook"];
  if (!given) return undefined;
  return areEqual(given, createHmac("sha1", secret).update(request.body).update(request.url).digest("base64"));
};

/** Grafana signs the time too if it is configured to send it. */
export const grafanaSignature: Verify = (request, secret) => {
  const given = request.headers["x-grafana-alerting-signature"]?.toLowerCase();
  if (!given) return undefined;
  const at = request.headers["x-grafana-alerting-timestamp"];
  if (at === undefined) return areEqual(given, hmac(secret, request.body));
  return areEqual(given, hmac(secret, `${at}:`, request.body)) && isRecent(request, at);
};
