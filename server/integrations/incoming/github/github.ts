import { branchesOption, type Call, type Integration, type Reading } from "../integration.ts";
import { link, plain, time } from "../markdown.ts";
import { gitHubSignature } from "../signatures.ts";
import { checkReaders } from "./checks.ts";
import { type GitHubEvent, gitHubEvent, notSupported, type Reader } from "./event.ts";
import { itemEvents, itemReaders } from "./items.ts";
import { repositoryEvents, repositoryReaders } from "./repositories.ts";

export const sponsorEvents = [
  "created",
  "cancelled",
  "edited",
  "pending_cancellation",
  "pending_tier_change",
  "tier_changed",
];

function sentence({ payload, who }: GitHubEvent, action: string): string | undefined {
  const tier = plain(payload.maybeText("sponsorship.tier.name") ?? "an unnamed tier");
  const oldTier = plain(payload.maybeText("changes.tier.from.name") ?? "another tier");
  const from = time(payload.maybeText("effective_date"));
  const when = from === undefined ? "" : ` from ${from}`;
  switch (action) {
    case "created":
      return `${who} became a sponsor: ${tier}.`;
    case "cancelled":
      return `${who} no longer sponsors: ${tier}.`;
    case "edited": {
      const before = plain(payload.maybeText("changes.privacy_level.from") ?? "another level");
      const now = plain(payload.maybeText("sponsorship.privacy_level") ?? "an unnamed level");
      return `${who} changed who may see the sponsorship, from ${before} to ${now}.`;
    }
    case "pending_cancellation":
      return `${who} will no longer sponsor${when}: ${tier}.`;
    case "pending_tier_change":
      return `${who} will change from ${oldTier} to ${tier}${when}.`;
    case "tier_changed":
      return `${who} changed from ${oldTier} to ${tier}.`;
    default:
      return undefined;
  }
}

/** The event name is the action. Older deliveries have it in the header. */
const sponsorship: Reader = (event) => {
  const action = event.header === "sponsorship" ? event.action : event.header;
  const content = sentence(event, action);
  if (content === undefined) return notSupported(event);
  const name = event.payload.maybeText("sponsorship.sponsorable.login");
  const whose = name === undefined ? "" : ` (of ${link(name, undefined)})`;
  return { event: action, topic: "sponsors", content: content.replace(/\.$/, `${whose}.`) };
};

export const sponsorReaders: Record<string, Reader> = Object.fromEntries(
  ["sponsorship", ...sponsorEvents].map((header) => [header, sponsorship]),
);

const readers: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    ...repositoryReaders,
    ...itemReaders,
    ...checkReaders,
    ...sponsorReaders,
  }),
);

const SILENT_HEADERS = [
  "check_suite",
  "label",
  "meta",
  "milestone",
  "organization",
  "project_card",
  "repository_vulnerability_alert",
];

function read(call: Call): Reading {
  const event = gitHubEvent(call);
  if (call.flag("ignore_private_repositories") && event.payload.isTrue("repository.private")) {
    return { ignored: "The address leaves out private repositories." };
  }
  if (SILENT_HEADERS.includes(event.header)) return { ignored: `Events of the kind ${event.header} are not reported.` };
  return (readers.get(event.header) ?? notSupported)(event);
}

const setUp = `In the repository or the organization, open **Settings → Webhooks → Add webhook**.

1. *Payload URL*: \`{address}\`. *Content type*: \`application/json\` (a form works too).
2. *Secret*: the bot's secret, if you gave it one. Deliveries without the right signature are then refused.
3. Choose **Let me select individual events**, or send everything and choose here with \`only_events\`.

Add \`branches=main,release\` to the address to be notified of pushes to these branches only, and
\`ignore_private_repositories=true\` to leave out what is private.`;

export const github: Integration = {
  name: "github",
  displayName: "GitHub",
  color: "#24292f",
  client: "GitHub",
  events: [...repositoryEvents, ...itemEvents, ...Object.keys(checkReaders), ...sponsorEvents],
  options: [
    branchesOption,
    { key: "ignore_private_repositories", label: "Leave out private repositories", validator: "check_bool" },
  ],
  setUp,
  verify: gitHubSignature,
  read,
};

export const githubSponsors: Integration = {
  ...github,
  name: "githubsponsors",
  displayName: "GitHub Sponsors",
  color: "#bf3989",
  events: sponsorEvents,
  options: [],
  setUp: `On your dashboard of **GitHub Sponsors**, open **Webhooks → Add webhook**.

1. *Payload URL*: \`{address}\`. *Content type*: \`application/json\`.
2. *Secret*: the bot's secret, if you gave it one.`,
};
