import type { Call, Integration, Reading } from "./integration.ts";
import { alertMark, code, codeBlock, details, link, paragraphs, plain, quote, time, withBody } from "./markdown.ts";
import type { Payload } from "./payload.ts";
import { sentrySignature } from "./signatures.ts";

const LANGUAGES = ["go", "java", "javascript", "node", "python", "ruby"];
/** The fields that can describe an event without an exception. */
const MESSAGES = ["message", "logentry.formatted", "logentry.message", "occurrence.subtitle", "metadata.value"];
const SAMPLE_TITLE = "This is an example Python exception";

/** An event of an issue alert, of the resource `error`, or of the older plugin. */
function event(part: Payload, url: string | undefined): Reading {
  // Events of performance, crons and browser reports have neither an exception nor a log entry.
  const title = part.maybeText("title", "occurrence.issueTitle", "metadata.title", ...MESSAGES) ?? "Event";
  const platform = part.maybeText("platform") ?? "";
  const isOld = platform === "python" && Number.parseInt(part.maybeText("version") ?? "7", 10) < 7;
  if (isOld && !title.startsWith(SAMPLE_TITLE)) return { unsupported: "Raven SDK" };
  const at = time(part.maybeText("datetime") ?? part.maybeNumber("timestamp") ?? part.maybeNumber("received"));
  const file = part.maybeText("metadata.filename");
  const isException = part.isObject("exception");
  const message = MESSAGES.map((path) => part.maybeText(path)).find((text) => text !== undefined && text !== title);
  return {
    topic: title,
    content: paragraphs(
      `${mark(part.maybeText("level"))} New event: ${link(title, url)}`,
      details([
        ["Level", plain(part.maybeText("level") ?? "")],
        ["When", at],
        ["File", file === undefined ? undefined : code(file)],
        ["Where", isException ? undefined : plain(part.maybeText("culprit", "transaction", "location") ?? "")],
        ...(isException ? [] : evidence(part)),
      ]),
      isException ? sourceLines(part, file, platform) : quote(message),
    ),
  };
}

/** The problem that Sentry detected, such as a slow query or a missed check-in. */
const evidence = (part: Payload): [string, string][] =>
  part
    .maybeList("occurrence.evidenceDisplay")
    .slice(0, 10)
    .map((row) => [plain(row.maybeText("name") ?? "Evidence"), plain(row.maybeText("value") ?? "")]);

const mark = (level: string | undefined): string =>
  level === "fatal" || level === "error" ? "🔴" : level === "warning" ? "🟡" : "🔵";

/** The source lines of the last frame in the file. Sentry lists the oldest frame first. */
function sourceLines(part: Payload, file: string | undefined, platform: string): string | undefined {
  const exception = part.maybeList("exception.values").findLast((value) => value.isObject("stacktrace"));
  const frame = exception?.maybeList("stacktrace.frames").findLast((each) => each.maybeText("filename") === file);
  const line = frame?.maybeText("context_line");
  if (!frame || line === undefined) return undefined;
  const marked = [
    ...frame.texts("pre_context").map((text) => `    ${text}`),
    `--> ${line}`,
    ...frame.texts("post_context").map((text) => `    ${text}`),
  ];
  const language = platform === "node" ? "javascript" : LANGUAGES.includes(platform) ? platform : "text";
  return codeBlock(marked.join("\n"), language);
}

function issue(call: Call, part: Payload): Reading {
  const action = call.payload.maybeText("action") ?? "";
  const title = part.text("title");
  const name = link(part.maybeText("shortId") ?? "issue", part.maybeText("permalink", "web_url"));
  const who = plain(call.payload.maybeText("actor.name") ?? "Sentry");
  const assignee = part.maybeText("assignedTo.name");
  const isTeam = part.maybeText("assignedTo.type") === "team";
  const assigned = assignee === undefined ? "nobody" : `${isTeam ? "the team " : ""}${plain(assignee)}`;
  const report = (content: string): Reading => ({ topic: title, content });
  switch (action) {
    case "created":
      return report(
        paragraphs(
          `${mark(part.maybeText("level"))} New issue ${name}: ${plain(title)}`,
          details([
            ["Level", plain(part.maybeText("level") ?? "")],
            ["Last seen", time(part.maybeText("lastSeen"))],
            ["Assigned to", assignee === undefined ? undefined : assigned],
          ]),
        ),
      );
    case "assigned":
      return report(`${who} assigned ${name} to ${assigned}.`);
    case "unresolved":
      return report(`${who} opened ${name} again.`);
    case "resolved":
      return report(`${who} resolved ${name}.`);
    case "ignored":
    case "archived":
      return report(`${who} archived ${name}.`);
    default:
      return { unsupported: `issue ${action}` };
  }
}

function metricAlert(call: Call): Reading {
  const { payload } = call;
  const title = payload.maybeText("data.description_title", "data.metric_alert.title") ?? "Metric alert";
  const action = payload.maybeText("action") ?? "changed";
  const name = link(title, payload.maybeText("data.web_url"));
  return {
    topic: payload.maybeText("data.metric_alert.alert_rule.name", "data.metric_alert.title") ?? title,
    content: paragraphs(
      `${alertMark(action)} ${name} (${plain(action)})`,
      quote(payload.maybeText("data.description_text")?.replaceAll("\\n", "\n")),
    ),
  };
}

function comment(call: Call): Reading {
  const { payload } = call;
  const action = payload.maybeText("action") ?? "created";
  const who = plain(payload.maybeText("actor.name") ?? "Somebody");
  const slug = payload.maybeText("data.project_slug");
  const ofProject = slug === undefined ? "" : ` of ${plain(slug)}`;
  const did = action === "created" ? "commented on" : `${plain(action)} a comment on`;
  const body = action === "deleted" ? undefined : quote(payload.maybeText("data.comment"));
  const sentence = `${who} ${did} issue ${plain(payload.text("data.issue_id"))}${ofProject}`;
  return { topic: slug ?? "Sentry", content: withBody(sentence, body) };
}

/** The page of an event of the plugin: its path is below that of the issue. */
function pluginUrl(payload: Payload): string | undefined {
  const [base = ""] = (payload.maybeText("url") ?? "").split(/[?#]/, 1);
  const id = payload.maybeText("event.event_id");
  return base === "" || id === undefined
    ? undefined
    : `${base.replace(/\/?$/, "/")}events/${encodeURIComponent(id.toWellFormed())}/`;
}

function read(call: Call): Reading {
  const { payload } = call;
  const data = payload.maybe("data");
  if (!data && payload.isObject("event") && payload.maybeText("event.event_id") !== undefined) {
    return event(payload.at("event"), pluginUrl(payload));
  }
  if (!data) return oldest(call);
  const kind = call.header("Sentry-Hook-Resource");
  if (kind === "installation" || data.isObject("installation")) return { ignored: "Installations are not reported." };
  for (const key of ["event", "error"]) {
    const part = data.maybe(key);
    if (part) return event(part, part.maybeText("web_url", "url"));
  }
  const found = data.maybe("issue");
  if (found) return issue(call, found);
  if (data.isObject("metric_alert")) return metricAlert(call);
  if (kind === "comment" || data.has("comment")) return comment(call);
  return { unsupported: data.keys().join(", ") || kind || "an empty event" };
}

function oldest({ payload }: Call): Reading {
  const level = payload.maybeText("level");
  const message = quote(payload.maybeText("message"));
  const name = link("New event", payload.maybeText("url"));
  const ofLevel = level === undefined ? "" : ` (${plain(level)})`;
  return {
    topic: payload.text("project_name"),
    content: withBody(`${mark(level)} ${name}${ofLevel}`, message),
  };
}

export const sentry: Integration = {
  name: "sentry",
  displayName: "Sentry",
  color: "#362d59",
  client: "Sentry",
  events: null,
  options: [],
  setUp: `Open **Settings → Developer Settings → Create New Integration → Internal Integration**.

1. *Webhook URL*: \`{address}\`. Switch **Alert Rule Action** on.
2. *Permissions*: *Issue & Event* **Read**. *Webhooks*: tick **issue**, and what else you want to be notified of.
3. Save. Sentry then shows the *Client secret*: give it to the bot as its secret to have signatures checked.
4. In an alert rule, add the action **Send a notification via** this integration.`,
  verify: sentrySignature,
  read,
};
