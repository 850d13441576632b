import { z } from "zod";
import type { App } from "../../app.ts";
import type { Call } from "../../http/endpoint.ts";
import { turnNtfyOff, turnNtfyOn } from "../actions/ntfy-topics.ts";
import { type NtfyState, ntfyState, wireNtfyState } from "../presenters/ntfy-topics.ts";
import { ntfyTopicOf } from "../queries/ntfy-topics.ts";
import type { User } from "../queries/users.ts";
import { endpoint } from "./endpoint.ts";

const response = z.object({ ntfy: wireNtfyState });

function stateFor({ viewer, reader, app, baseUrl }: Call<App, User, object>): { ntfy: NtfyState } {
  const stored = ntfyTopicOf(reader, viewer.id);
  const topic = stored?.is_on ? app.ntfyTopics.nameOf(stored) : null;
  return { ntfy: ntfyState(reader, { topic, baseUrl, connections: app.ntfyStreams.countOf(viewer.id) }) };
}

export const getNtfy = endpoint({
  route: "GET /users/me/ntfy",
  summary: "Get the caller's ntfy topic, from which the ntfy app on a phone gets notifications.",
  who: "guest",
  bots: false,
  response,
  handle: stateFor,
});

export const postNtfy = endpoint({
  route: "POST /users/me/ntfy",
  summary: "Create a new ntfy topic for the caller. An earlier topic ends immediately.",
  who: "guest",
  bots: false,
  response,
  handle: (call) => {
    call.transact((tx) => turnNtfyOn(tx, call.viewer));
    return stateFor(call);
  },
});

export const deleteNtfy = endpoint({
  route: "DELETE /users/me/ntfy",
  summary: "Turn off notifications in the ntfy app. The topic ends immediately.",
  who: "guest",
  bots: false,
  handle: ({ viewer, transact }) => transact((tx) => turnNtfyOff(tx, viewer)),
});
