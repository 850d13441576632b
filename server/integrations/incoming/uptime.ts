import { badRequest } from "../../errors.ts";
import type { Call, Integration, Reading } from "./integration.ts";
import { alertMark, bold, details, link, oneLine, paragraphs, plain, quote, time, webAddress } from "./markdown.ts";
import { lookUp, Payload, parsePayload } from "./payload.ts";

/* Services that monitor other services: Uptime Kuma, UptimeRobot, Healthchecks. */

/** A web URL as a link, any other address as text. */
const shownAddress = (address: string): string =>
  webAddress(address) === undefined ? plain(address) : link(address, address);

function lasting(seconds: number): string {
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ] as const;
  const [name, length] = units.find(([, each]) => seconds >= each * 2) ?? ["second", 1];
  const count = Math.round(seconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

const STATES: Record<number, readonly [event: string, words: string]> = {
  0: ["down", "🔴 is down"],
  1: ["up", "🟢 is up"],
  2: ["pending", "🟡 is pending"],
  3: ["maintenance", "🔵 is under maintenance"],
};

/** Uptime Kuma sends JSON as the body or in a form field, or its parts in the URL. */
function kumaPayload(call: Call): Payload {
  const { form, query, method } = call.request;
  const data = form.get("data");
  if (data !== undefined) return parsePayload(data);
  if (method !== "GET") return call.payload;
  const part = (name: string): unknown => {
    const given = query.get(name);
    return given && given !== "null" ? parsePayload(given).raw() : null;
  };
  return new Payload({ heartbeat: part("heartbeat"), monitor: part("monitor"), msg: query.get("msg") });
}

function readKuma(call: Call): Reading {
  const payload = kumaPayload(call);
  const heartbeat = payload.maybe("heartbeat");
  const name = payload.maybeText("monitor.name");
  if (!heartbeat) {
    // Sent by the test button, and for expiring certificates.
    return { event: "other", topic: name ?? "Uptime Kuma", content: plain(payload.text("msg")) };
  }
  const [event, words] = lookUp(STATES, heartbeat.number("status")) ?? ["other", "🟡 is in an unknown state"];
  const reason = heartbeat.maybeText("msg");
  // Kuma's times are UTC, without a time zone.
  const at = time(heartbeat.maybeText("time")?.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?$/, "$1T$2Z"));
  const ping = heartbeat.maybeNumber("ping");
  const [mark = "", ...rest] = words.split(" ");
  const address = kumaAddress(payload);
  return {
    event,
    topic: name ?? "Uptime Kuma",
    content: paragraphs(
      `${mark} ${bold(name ?? "The monitor")} ${rest.join(" ")}${at === undefined ? "" : `, ${at}`}.`,
      details([
        ["Address", address && shownAddress(address)],
        ["Reason", reason === undefined || reason === "N/A" ? undefined : plain(reason)],
        ["Response time", ping === undefined ? undefined : `${ping} ms`],
      ]),
    ),
  };
}

function kumaAddress(payload: Payload): string | undefined {
  const url = payload.maybeText("monitor.url");
  if (url !== undefined && !/^https?:\/\/$/.test(url)) return url;
  const host = payload.maybeText("monitor.hostname");
  const port = payload.maybeText("monitor.port");
  return host === undefined || port === undefined ? host : `${host}:${port}`;
}

export const uptimeKuma: Integration = {
  name: "uptimekuma",
  displayName: "Uptime Kuma",
  color: "#5cdd8b",
  client: "UptimeKuma",
  events: ["up", "down", "pending", "maintenance", "other"],
  options: [],
  setUp: `Open **Settings → Notifications → Set up notification** and choose the type **Webhook**.

1. *Post URL*: \`{address}\`. *Request body*: **Preset – application/json**.
2. Press **Test**, save, and switch the notification on for your monitors.`,
  takesGet: true,
  read: readKuma,
};

/** UptimeRobot leaves a placeholder in place if it has no value. */
const isPlaceholder = (text: string): boolean => /^\*\w+\*$/.test(text);

function readRobot({ payload }: Call): Reading {
  const detail = (name: string): string | undefined => {
    const text = payload.maybeText(name);
    return text === undefined || isPlaceholder(text) ? undefined : text;
  };
  const name = payload.text("monitor_friendly_name");
  const kind = payload.text("alert_type_friendly_name");
  const event = kind.toLowerCase();
  const state = event === "up" || event === "down" ? `is ${event}` : `– ${plain(kind)}`;
  const duration = detail("alert_friendly_duration") ?? detail("alert_duration");
  const url = detail("monitor_url");
  return {
    event,
    topic: name,
    content: paragraphs(
      `${alertMark(event)} ${bold(name)} ${state}.`,
      details([
        ["Address", url && shownAddress(url)],
        ["Details", plain(detail("alert_details") ?? "")],
        [event === "up" ? "Was down for" : "Duration", duration && plain(duration)],
      ]),
    ),
  };
}

export const uptimeRobot: Integration = {
  name: "uptimerobot",
  displayName: "UptimeRobot",
  color: "#3bd671",
  client: "UptimeRobot",
  events: ["up", "down"],
  options: [],
  setUp: `Open **Integrations & API → Webhook → Add** (in older accounts **My settings → Add alert contact**).

1. *URL to notify*: \`{address}&\`, with the \`&\` at its end.
2. *POST value (JSON)*, sent **as JSON**:

\`\`\`json
{
  "monitor_url": "*monitorURL*",
  "monitor_friendly_name": "*monitorFriendlyName*",
  "alert_type": "*alertType*",
  "alert_type_friendly_name": "*alertTypeFriendlyName*",
  "alert_details": "*alertDetails*",
  "alert_friendly_duration": "*alertFriendlyDuration*"
}
\`\`\``,
  read: readRobot,
};

/** The user writes the payload, as JSON or as parameters of the URL, so any field may be missing. */
function readHealthchecks(call: Call): Reading {
  const { request } = call;
  const isEmpty = request.body.length === 0 && !request.form.has("payload");
  const payload = isEmpty ? new Payload(Object.fromEntries(request.query)) : call.payload;
  const name = payload.maybeText("check.name", "name", "check.slug", "slug");
  const status = payload.maybeText("status", "check.status")?.toLowerCase();
  if (status === undefined && name === undefined) {
    throw badRequest("payload_without_status", {}, { path: "status" });
  }
  const event = status ?? "other";
  const tags = payload.maybeText("tags", "check.tags");
  const last = time(payload.maybeText("check.last_ping", "last_ping"));
  const now = time(payload.maybeText("now"));
  const grace = payload.maybeNumber("check.grace");
  const schedule = payload.maybeText("check.schedule");
  const period = payload.maybeNumber("check.timeout");
  return {
    event,
    topic: name ?? "Healthchecks",
    content: paragraphs(
      `${alertMark(event)} ${bold(name ?? "A check")} is ${plain(oneLine(event))}${now === undefined ? "" : `, ${now}`}.`,
      details([
        ["Last ping", last],
        ["Expected", schedule ? plain(schedule) : period === undefined ? undefined : `every ${lasting(period)}`],
        ["Grace time", grace === undefined ? undefined : lasting(grace)],
        ["Tags", tags && plain(tags)],
      ]),
      quote(payload.maybeText("check.desc", "desc"), 500),
    ),
  };
}

export const healthchecks: Integration = {
  name: "healthchecksio",
  displayName: "Healthchecks.io",
  color: "#22bc66",
  client: "HealthchecksIo",
  events: ["up", "down"],
  options: [],
  setUp: `Open **Integrations → Webhook → Add integration**. Fill in the same for *down* and for *up*:

1. *HTTP method*: POST. *URL*: \`{address}\`.
2. *Request headers*: \`Content-Type: application/json\`
3. *Request body*:

\`\`\`json
{"name": $NAME_JSON, "status": "$STATUS", "now": "$NOW", "tags": "$TAGS", "check": $JSON}
\`\`\``,
  takesGet: true,
  read: readHealthchecks,
};
