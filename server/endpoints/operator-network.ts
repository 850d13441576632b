import { hostname } from "node:os";
import { z } from "zod";
import { BODY_LIMIT } from "../http/options.ts";
import {
  isSetByEnvironment,
  OPERATOR_SETTINGS,
  type OperatorSettingName,
  operatorSettings,
} from "../queries/operator-settings.ts";
import { endpoint } from "./endpoint.ts";

/** The settings of the host that the page of the network shows; PATCH /host/settings changes them. */
const SHOWN = [
  "ALLOWED_HOSTS",
  "RATE_LIMITS",
  "WEBHOOK_ALLOWED_HOSTS",
  "MAX_FILE_UPLOAD_SIZE_MIB",
  "WEB_PUBLIC_STREAMS_ENABLED",
] as const satisfies readonly OperatorSettingName[];

export const getHostNetwork = endpoint({
  route: "GET /host/network",
  summary: "Where the server can be reached, by whom, and what is limited.",
  who: "operator or owner",
  bots: false,
  outsideApi: true,
  response: z.object({
    listening: z
      .object({
        host: z.string(),
        port: z.int(),
        lan: z.boolean().describe("Whether other machines can connect."),
        addresses: z.array(z.object({ url: z.string(), interface: z.string() })),
        chosen_by: z
          .enum(["desktop", "command line"])
          .describe("Where host and port are changed; either takes a restart of the server."),
      })
      .describe("Chosen at the start: no call changes it."),
    names: z.array(z.string()).describe("Answered beside IP addresses, *.local and ALLOWED_HOSTS."),
    connections: z.object({ open: z.int(), max: z.int(), max_of_address: z.int() }),
    max_body_bytes: z.int().describe("Of a request without files."),
    settings: z
      .array(
        z.object({
          name: z.enum(SHOWN),
          value: z.unknown(),
          initial: z.unknown(),
          set_by_environment: z.boolean().describe("Changed by whoever starts the server, and then takes a restart."),
        }),
      )
      .describe("PATCH /host/settings changes those that no environment variable sets, at once."),
  }),
  handle: ({ app, reader }) => {
    const values = operatorSettings(reader);
    return {
      listening: {
        ...app.stateFeed.network(),
        chosen_by: process.versions["electron"] === undefined ? ("command line" as const) : ("desktop" as const),
      },
      names: [...new Set(["localhost", hostname().toLowerCase()])],
      connections: app.connections(),
      max_body_bytes: BODY_LIMIT,
      settings: SHOWN.map((name) => ({
        name,
        value: values[name],
        initial: OPERATOR_SETTINGS[name].initial,
        set_by_environment: isSetByEnvironment(name),
      })),
    };
  },
});
