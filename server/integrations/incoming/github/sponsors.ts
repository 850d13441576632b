import { link, plain, time } from "../markdown.ts";
import type { GitHubEvent, Reader } from "./event.ts";
import { notSupported } from "./event.ts";

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

/** The event's name is the action, which older deliveries have in the header. */
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
