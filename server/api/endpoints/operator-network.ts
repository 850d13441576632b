import { hostname } from "node:os";
import { z } from "zod";
import type { App } from "../../app.ts";
import { reported } from "../../errors.ts";
import { CERTIFICATE_PROBLEMS } from "../../host/https/certificate-files.ts";
import type { HttpsState } from "../../host/https/https.ts";
import { nameOfRoot, ROOT_PATH } from "../../host/https/root.ts";
import { BODY_LIMIT } from "../../http/options.ts";
import { wireProblem } from "../presenters/problems.ts";
import {
  isSetByEnvironment,
  OPERATOR_SETTINGS,
  type OperatorSettingName,
  operatorSettings,
} from "../queries/operator-settings.ts";
import { endpoint, forOwners } from "./endpoint.ts";

/** Settings on the network page. PATCH /host/settings changes them. */
const SHOWN = [
  "ALLOWED_HOSTS",
  "RATE_LIMITS",
  "TRUSTED_PROXIES",
  "WEBHOOK_ALLOWED_HOSTS",
  "MAX_FILE_UPLOAD_SIZE_MIB",
  "WEB_PUBLIC_STREAMS_ENABLED",
] as const satisfies readonly OperatorSettingName[];

export const getOperatorNetwork = endpoint({
  route: "GET /host/network",
  summary: "Get the server's addresses, certificate and limits.",
  ...forOwners,
  response: z.object({
    listening: z
      .object({
        host: z.string(),
        port: z.int(),
        lan: z.boolean().describe("Whether other machines can connect."),
        addresses: z.array(z.object({ url: z.string(), interface: z.string() })),
        chosen_by: z
          .enum(["desktop", "command line"])
          .describe("Where to change host and port. A change needs a restart."),
      })
      .describe("Set at the start; requests cannot change it."),
    https: z.object({
      use: z.enum(["off", "local authority", "files"]).describe("Value of the setting HTTPS."),
      names: z.array(z.string()).describe("Names and addresses in the active certificate."),
      ends_at: z
        .int()
        .nullable()
        .describe("Expiry time, in milliseconds since the epoch. Hearth renews its own certificates automatically."),
      problem: z
        .string()
        .nullable()
        .describe("Why the configured certificate is not used, or not used for new connections."),
      refusal: z
        .object({ code: z.enum(CERTIFICATE_PROBLEMS), file: z.string(), detail: z.string() })
        .nullable()
        .describe("Structured form of a problem that the operator can fix."),
      root: z
        .object({ name: z.string(), path: z.string(), fingerprint: z.string().describe("SHA-256.") })
        .nullable()
        .describe(
          "Root certificate of Hearth's own authority, which devices must trust. Also served without encryption.",
        ),
    }),
    names: z.array(z.string()).describe("Accepted hostnames besides IP addresses, *.local and ALLOWED_HOSTS."),
    connections: z.object({ open: z.int(), max: z.int(), max_of_address: z.int() }),
    max_body_bytes: z.int().describe("Maximum size of a request without files."),
    settings: z
      .array(
        z.object({
          name: z.enum(SHOWN),
          value: z.unknown(),
          initial: z.unknown(),
          set_by_environment: z.boolean().describe("Set by an environment variable. A change needs a restart."),
        }),
      )
      .describe("PATCH /host/settings changes settings without an environment variable, immediately."),
  }),
  handle: (call) => {
    const { app, reader } = call;
    const values = operatorSettings(reader);
    const { https: _, ...listening } = app.stateFeed.networkFor(call);
    return {
      listening: {
        ...listening,
        chosen_by: process.versions["electron"] === undefined ? ("command line" as const) : ("desktop" as const),
      },
      https: httpsAnswer(app.https.state),
      names: [...new Set(["localhost", hostname().toLowerCase()])],
      connections: connectionsOf(app),
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

export const checkReach = endpoint({
  route: "POST /host/network/check",
  summary: "Check whether other machines can reach the server.",
  ...forOwners,
  response: z.object({
    addresses: z
      .array(
        z.object({
          url: z.string(),
          interface: z.string(),
          problem: wireProblem.nullable(),
          profile: z
            .enum(["public", "private", "domain"])
            .nullable()
            .describe("Windows' profile of the network. Its firewall blocks more on public networks."),
        }),
      )
      .describe("The server connected to each address from its own machine, so firewalls were not tested."),
    firewall: z.object({
      kind: z.enum(["ufw", "firewalld", "windows", "macos", "unknown"]),
      is_on: z.boolean().nullable().describe("null: only an administrator of the machine can check it."),
      commands: z.array(z.string()).describe("Shell commands that allow connections."),
    }),
    other_machine_at: z
      .int()
      .nullable()
      .describe("Time of the newest connection from another machine since the start, in milliseconds since the epoch."),
  }),
  handle: async ({ app }) => {
    const { addresses, firewall } = await app.stateFeed.reach();
    const ago = app.connections().ms_since_other_machine;
    const other_machine_at = ago === null ? null : app.now() - ago;
    return {
      addresses: addresses.map((one) => ({ ...one, problem: one.problem && reported(one.problem) })),
      firewall,
      other_machine_at,
    };
  },
});

function connectionsOf(app: App) {
  const { open, max, max_of_address } = app.connections();
  return { open, max, max_of_address };
}

function httpsAnswer({ use, certificate, root, problem, refusal }: HttpsState) {
  return {
    use,
    names: certificate ? namesIn(certificate.subjectAltName ?? "") : [],
    ends_at: certificate?.validToDate.getTime() ?? null,
    problem: problem ?? null,
    refusal: refusal ?? null,
    root: root ? { name: nameOfRoot(root), path: ROOT_PATH, fingerprint: root.fingerprint256 } : null,
  };
}

/** Parses `DNS:chat.local, IP Address:10.0.0.5`. */
const namesIn = (subjectAltName: string): string[] =>
  subjectAltName
    .split(", ")
    .flatMap((one) => /^(?:DNS|IP Address):(.+)$/.exec(one)?.[1] ?? [])
    .map((name) => (name.includes(":") ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name));
