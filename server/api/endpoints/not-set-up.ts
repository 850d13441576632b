import { z } from "zod";
import { badRequest } from "../../errors.ts";
import { boolean, text } from "../../http/params.ts";
import { endpoint } from "./endpoint.ts";
import { narrowParam } from "./narrow-params.ts";

/*
 * Calls for services of others, which Hearth does not use (docs/protocol.md#what-is-not-set-up). Clients that offer them
 * learn the reason, and not that the address is unknown.
 */

const people = { who: "member", guests: true } as const;

export const getSummary = endpoint({
  route: "GET /messages/summary",
  summary: "A summary of messages by a language model; always refused.",
  ...people,
  params: { narrow: narrowParam.optional() },
  response: z.object({ summary: z.string() }),
  handle: () => {
    throw badRequest("This server has no language model that could summarize messages.");
  },
});

export const createZoomCall = endpoint({
  route: "POST /calls/zoom/create",
  summary: "Create a video call with Zoom; always refused.",
  ...people,
  params: { is_video_call: boolean().optional() },
  response: z.object({ url: z.string() }),
  handle: () => {
    throw badRequest("Zoom is not set up on this server.");
  },
});

export const createBigBlueButtonCall = endpoint({
  route: "GET /calls/bigbluebutton/create",
  summary: "Create a video call with BigBlueButton; always refused.",
  ...people,
  params: { meeting_name: text(), voice_only: boolean().optional() },
  response: z.object({ url: z.string() }),
  handle: () => {
    throw badRequest("BigBlueButton is not set up on this server.");
  },
});

export const fetchApiKeyByJwt = endpoint({
  route: "POST /jwt/fetch_api_key",
  summary: "Sign in by a token of another service; always refused.",
  who: "anyone",
  ignoreCredentials: true,
  params: { token: text(), include_profile: boolean().optional() },
  response: z.object({ api_key: z.string(), email: z.string() }),
  handle: () => {
    throw badRequest("Signing in by a token of another service is not set up on this server.");
  },
});

const isNoTestServer = () => badRequest("This is no server for tests: nobody signs in without a password.");

export const fetchApiKeyForTests = endpoint({
  route: "POST /dev_fetch_api_key",
  summary: "Sign in without a password, on servers for tests; always refused.",
  who: "anyone",
  ignoreCredentials: true,
  params: { username: text() },
  response: z.object({ api_key: z.string(), email: z.string() }),
  handle: () => {
    throw isNoTestServer();
  },
});

export const listUsersForTests = endpoint({
  route: "GET /dev_list_users",
  summary: "Whom one may sign in as, on servers for tests; always refused.",
  who: "anyone",
  ignoreCredentials: true,
  handle: () => {
    throw isNoTestServer();
  },
});
