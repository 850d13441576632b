import { branchesOption, type Call, type Integration, type Reading } from "../integration.ts";
import { gitHubSignature } from "../signatures.ts";
import { checkReaders } from "./checks.ts";
import { gitHubEvent, notSupported, type Reader } from "./event.ts";
import { issueEvents, issueReaders } from "./issues.ts";
import { pullRequestEvents, pullRequestReaders } from "./pull-requests.ts";
import { repositoryEvents, repositoryReaders } from "./repositories.ts";
import { sponsorEvents, sponsorReaders } from "./sponsors.ts";

const readers: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    ...repositoryReaders,
    ...pullRequestReaders,
    ...issueReaders,
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
  events: [...repositoryEvents, ...pullRequestEvents, ...issueEvents, ...Object.keys(checkReaders), ...sponsorEvents],
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
