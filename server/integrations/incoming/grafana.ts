import type { Call, Integration, IntegrationMessage, Reading } from "./integration.ts";
import { alertMark, bold, code, cut, details, link, paragraphs, plain, quote, time, words } from "./markdown.ts";
import type { Payload } from "./payload.ts";
import { grafanaSignature } from "./signatures.ts";

const MAX_ROWS = 40;
const rows = (entries: readonly [string, string][]): [string, string][] =>
  entries.slice(0, MAX_ROWS).map(([name, value]) => [plain(name), plain(cut(value, 200))]);

/** Grafana 8 and newer: one message for each alert. */
function alerts({ payload }: Call): readonly IntegrationMessage[] {
  const messages = payload.list("alerts").map((alert) => alertMessage(alert));
  const left = payload.maybeNumber("truncatedAlerts") ?? 0;
  const last = messages.at(-1);
  if (left <= 0 || last === undefined) return messages;
  const note = `*Grafana left out ${left} more.*`;
  return [...messages.slice(0, -1), { ...last, content: paragraphs(last.content, note) }];
}

function alertMessage(alert: Payload): IntegrationMessage {
  const status = alert.text("status");
  const name = alert.maybeText("labels.alertname");
  const fingerprint = alert.maybeText("fingerprint");
  const [began, ended] = [time(alert.maybeText("startsAt")), time(alert.maybeText("endsAt"))];
  const when = [began && `since ${began}`, ended && status !== "firing" && `until ${ended}`].filter(Boolean).join(" ");
  const shown = bold(name ?? fingerprint ?? "An alert");
  return {
    event: status,
    topic: `[${name ?? fingerprint ?? "alert"}]`,
    content: paragraphs(
      `${alertMark(status)} ${shown} is ${plain(status)}${when && `, ${when}`}.`,
      list("Labels", rows(alert.entries("labels").filter(([key]) => key !== "alertname"))),
      list("Values", valuesOf(alert)),
      list("Annotations", rows(alert.entries("annotations"))),
      linksOf(alert),
    ),
  };
}

function valuesOf(alert: Payload): [string, string][] {
  const values = rows(alert.entries("values"));
  const text = alert.maybeText("valueString");
  return values.length > 0 || text === undefined ? values : [["all", code(text)]];
}

const list = (title: string, entries: readonly [string, string][]): string | undefined =>
  entries.length === 0 ? undefined : `${title}:\n${details(entries)}`;

const LINKS = [
  ["Graph", "generatorURL"],
  ["Dashboard", "dashboardURL"],
  ["Panel", "panelURL"],
  ["Silence", "silenceURL"],
  ["Image", "imageURL"],
] as const;

const linksOf = (alert: Payload): string =>
  LINKS.flatMap(([name, key]) => {
    const url = alert.maybeText(key);
    return url === undefined ? [] : [link(name, url)];
  }).join(" · ");

/** Grafana 7. */
function legacy({ payload }: Call): IntegrationMessage {
  const state = payload.text("state");
  const name = payload.maybeText("ruleName") ?? payload.text("title");
  const values = payload.maybeList("evalMatches").slice(0, MAX_ROWS);
  const image = payload.maybeText("imageUrl");
  return {
    event: state,
    topic: payload.maybeText("title") ?? name,
    content: paragraphs(
      `${alertMark(state)} ${link(name, payload.maybeText("ruleUrl"))} is ${words(state)}.`,
      quote(payload.maybeText("message")),
      details(
        values.map((each) => [plain(each.maybeText("metric") ?? "value"), plain(each.maybeText("value") ?? "none")]),
      ),
      image === undefined ? undefined : link("Image", image),
    ),
  };
}

const read = (call: Call): Reading => (call.payload.has("alerts") ? alerts(call) : legacy(call));

export const grafana: Integration = {
  name: "grafana",
  displayName: "Grafana",
  color: "#f46800",
  client: "Grafana",
  events: ["firing", "resolved", "alerting", "ok", "paused", "pending", "no_data", "unknown"],
  options: [],
  setUp: `Open **Alerting → Contact points → Create contact point** and choose the integration **Webhook**.

1. *URL*: \`{address}\`. *HTTP method*: POST or PUT.
2. *HMAC signature → Secret* (Grafana 12 and newer): the bot's secret, if you gave it one. Leave the signature's header
   as it is; for a header with the time, use \`X-Grafana-Alerting-Timestamp\`.
3. Press **Test**, save, and choose the contact point in a notification policy.`,
  verify: grafanaSignature,
  read,
};
