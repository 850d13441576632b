import type { Call, Reading } from "../integration.ts";
import { link } from "../markdown.ts";
import type { Payload } from "../payload.ts";

/** A delivery of GitHub, with the fields that most events have. */
export interface GitHubEvent {
  readonly call: Call;
  /** The event name of the header, and the action of the payload ("" if there is none). */
  readonly header: string;
  readonly action: string;
  readonly payload: Payload;
  /** The sender in Markdown. */
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

/** Whether an edited comment is unchanged. */
export const isUnchangedEdit = ({ action, payload }: GitHubEvent, body: string | undefined): boolean =>
  action === "edited" &&
  payload.has("changes.body.from") &&
  (payload.maybeText("changes.body.from") ?? "") === (body ?? "");
