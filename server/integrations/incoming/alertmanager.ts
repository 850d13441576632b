import type { Call, Integration, IntegrationMessage, Reading } from "./integration.ts";
import { alertMark, bold, link, paragraphs, plain, time } from "./markdown.ts";
import type { Payload } from "./payload.ts";

interface Group {
  readonly name: string;
  readonly status: string;
  readonly alerts: Payload[];
}

/** The value of a label, or of an annotation. The author of the rules chooses both names. */
function named(alert: Payload, field: string): string | undefined {
  const find = (path: string): string | undefined => alert.entries(path).find(([key]) => key === field)?.[1];
  return find("labels") || find("annotations") || undefined;
}

/** One message for each status and name. Firing alerts come first. */
function read(call: Call): Reading {
  const nameField = call.parameter("name") || "instance";
  const groups = new Map<string, Group>();
  for (const alert of call.payload.list("alerts")) {
    const name = named(alert, nameField) ?? "(unknown)";
    const status = alert.text("status");
    const key = JSON.stringify([status, name]);
    const group = groups.get(key);
    if (group) group.alerts.push(alert);
    else groups.set(key, { name, status, alerts: [alert] });
  }
  const left = call.payload.maybeNumber("truncatedAlerts") ?? 0;
  const ordered = [...groups.values()].sort((a, b) => Number(b.status === "firing") - Number(a.status === "firing"));
  return ordered.map((group, index) => message(group, call, index === ordered.length - 1 ? left : 0));
}

const MAX_ALERTS = 20;

function message({ name, status, alerts }: Group, call: Call, left: number): IntegrationMessage {
  const field = call.parameter("desc") || "alertname";
  const lines = alerts.slice(0, MAX_ALERTS).map((alert) => describe(alert, field));
  const more = alerts.length - lines.length + left;
  const note = more > 0 ? `*And ${more} more.*` : undefined;
  const state = `${alertMark(status)} ${bold(status)}`;
  const content =
    lines.length === 1
      ? `${state}: ${lines[0]}`
      : `${state} for ${plain(name)}:\n${lines.map((line) => `- ${line}`).join("\n")}`;
  return { topic: name, content: paragraphs(content, note) };
}

function describe(alert: Payload, field: string): string {
  const described = named(alert, field);
  const text = plain(described ?? `(the alert has no ${field})`);
  // Tab 0 shows the graph, tab 1 the table.
  const source = alert.maybeText("generatorURL")?.replace(/\btab=1(?=&|$)/, "tab=0");
  const unlessShown = (value: string | undefined): string | undefined =>
    value?.trim() === described?.trim() ? undefined : value;
  const severity = unlessShown(named(alert, "severity"));
  const summary = unlessShown(alert.maybeText("annotations.summary", "annotations.description"));
  const since = time(alert.maybeText("startsAt"));
  const asides = [
    severity && `severity ${plain(severity)}`,
    since && `since ${since}`,
    source && link("graph", source),
  ].filter((aside) => aside);
  const aside = asides.length > 0 ? ` (${asides.join(", ")})` : "";
  return `${text}${aside}${summary === undefined ? "" : `: ${plain(summary)}`}`;
}

export const alertmanager: Integration = {
  name: "alertmanager",
  displayName: "Prometheus Alertmanager",
  color: "#e6522c",
  client: "Alertmanager",
  events: null,
  options: [
    { key: "name", label: "Label that groups alerts (instance)", validator: "check_string" },
    { key: "desc", label: "Label or annotation that describes them (alertname)", validator: "check_string" },
  ],
  setUp: `Name \`{address}\` as a receiver in \`alertmanager.yml\`, and the receiver in a route:

\`\`\`yaml
receivers:
  - name: chat
    webhook_configs:
      - url: "{address}"
        send_resolved: true
\`\`\`

Alerts are grouped by the label \`instance\` and described by \`alertname\`: other labels or annotations are named with
\`name=\` and \`desc=\` in the address.`,
  read,
};
