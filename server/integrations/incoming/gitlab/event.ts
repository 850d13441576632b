import type { Call, Reading } from "../integration.ts";
import { link, plain } from "../markdown.ts";
import type { Payload } from "../payload.ts";

export interface GitLabEvent {
  readonly call: Call;
  /** The header's name for it: "Merge Request Hook". */
  readonly hook: string;
  readonly payload: Payload;
  /** In Markdown. */
  readonly who: string;
  readonly project: { readonly name: string; readonly url: string | undefined };
}

export type Reader = (event: GitLabEvent) => Reading;

export function gitLabEvent(call: Call): GitLabEvent {
  const { payload } = call;
  const name = payload.maybeText("project.name", "repository.name") ?? payload.text("project.name");
  return {
    call,
    hook: hookOf(call),
    payload,
    who: plain(payload.maybeText("user.name", "user_name", "user.username", "user_username") ?? "Somebody"),
    project: { name, url: payload.maybeText("project.web_url", "repository.homepage") },
  };
}

/** A system hook names its event within, as `merge_request`. */
function hookOf(call: Call): string {
  const hook = call.eventHeader("X-Gitlab-Event");
  const inner = call.payload.maybeText("event_name", "object_kind");
  if (hook !== "System Hook" || inner === undefined) return hook;
  const words = inner.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join(" ")} Hook`;
}

/** A message; where the address has its own topic, with the project in front. */
export function report({ call, project }: GitLabEvent, event: string, topic: string, content: string): Reading {
  const prefix = call.topic === undefined ? "" : `${link(project.name, project.url)}: `;
  return { event, topic, content: prefix + content };
}

export const actionOf = ({ payload }: GitLabEvent): string | undefined => payload.maybeText("object_attributes.action");

/** A page of the project. */
export const pageOf = ({ project }: GitLabEvent, path: string): string | undefined =>
  project.url === undefined ? undefined : `${project.url}/-/${path}`;
