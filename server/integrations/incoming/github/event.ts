import type { Call, Reading } from "../integration.ts";
import { link } from "../markdown.ts";
import type { Payload } from "../payload.ts";

/** A delivery of GitHub's: what most of its kinds have. */
export interface GitHubEvent {
  readonly call: Call;
  /** The header's name for it, and the payload's action; "" without. */
  readonly header: string;
  readonly action: string;
  readonly payload: Payload;
  /** In Markdown. */
  readonly who: string;
  readonly sender: string | undefined;
}

export type Reader = (event: GitHubEvent) => Reading;

export function gitHubEvent(call: Call): GitHubEvent {
  const { payload } = call;
  return {
    call,
    header: call.eventHeader("X-GitHub-Event"),
    action: payload.maybeText("action") ?? "",
    payload,
    who: personIn(payload, "sender") ?? "Somebody",
    sender: payload.maybeText("sender.login"),
  };
}

/** A person or a team, as a link. */
export function personIn(payload: Payload, path: string): string | undefined {
  const name = payload.maybeText(`${path}.login`, `${path}.name`);
  return name === undefined ? undefined : link(name, payload.maybeText(`${path}.html_url`));
}

export const repositoryName = ({ payload }: GitHubEvent): string => payload.text("repository.name");

export const repositoryLink = ({ payload }: GitHubEvent): string =>
  link(
    payload.maybeText("repository.full_name") ?? payload.text("repository.name"),
    payload.maybeText("repository.html_url"),
  );

export const notSupported = ({ header, action }: GitHubEvent): Reading => ({
  unsupported: action === "" ? header : `${header}:${action}`,
});

/** A comment that was saved again as it was. */
export const isUnchangedEdit = ({ action, payload }: GitHubEvent, body: string | undefined): boolean =>
  action === "edited" &&
  payload.has("changes.body.from") &&
  (payload.maybeText("changes.body.from") ?? "") === (body ?? "");
