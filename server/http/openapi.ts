import { z } from "zod";
import { type AnyEndpoint, endpointFor, needsUser, RawJson, type Viewer, type Who } from "./endpoint.ts";
import type { AnyParam } from "./params.ts";
import type { Route } from "./routes.ts";

type Json = Record<string, unknown>;

/** GET /api/v1/openapi.json: the document without an envelope, for tools. */
export function openApiEndpoint(document: () => Json): AnyEndpoint {
  let encoded: string | undefined;
  return endpointFor<unknown, Viewer>()({
    route: "GET /openapi.json",
    summary: "This document: every endpoint of this server, in OpenAPI 3.1.",
    who: "anyone",
    ignoreCredentials: true,
    // It contains nothing of the store, so it need not wait for the log.
    handle: () => {
      encoded ??= JSON.stringify(document());
      return new RawJson(encoded);
    },
  });
}

export function openApiDocument(
  routes: readonly Route[],
  { title, version }: { title: string; version: string },
): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    (paths[route.path] as Json)[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: "3.1.0",
    info: { title, version, description: DESCRIPTION },
    servers: [{ url: "/" }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "basic", description: "Email and API key." },
        operator: { type: "http", scheme: "bearer", description: "The operator's credential, random for each start." },
      },
      schemas: { Error: errorSchema },
      headers: Object.fromEntries(
        Object.entries(LIMIT_HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: "integer" } },
        ]),
      ),
      responses: { Error: errorResponse("Refused: `code` says why to programs, `msg` to people.") },
    },
  };
}

const DESCRIPTION =
  "Every answer is a JSON object with `result` (`success` or `error`) and `msg`. Parameters are form fields or query " +
  "parameters, whatever the method; the body wins. Fields that an endpoint does not know are named in " +
  "`ignored_parameters_unsupported`.";

const LIMIT_HEADERS = {
  "X-RateLimit-Limit": "Requests allowed in a window.",
  "X-RateLimit-Remaining": "Requests left now.",
  "X-RateLimit-Reset": "Unix time in seconds at which the whole limit is there again.",
};
const limitHeaders = Object.fromEntries(
  Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const errorSchema = {
  type: "object",
  required: ["result", "msg"],
  properties: {
    result: { const: "error" },
    msg: { type: "string", description: "For people." },
    code: { type: "string", description: "For programs." },
  },
  additionalProperties: true,
};

const errorResponse = (description: string, headers: Json = limitHeaders) => ({
  description,
  headers,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
});

const SPECTATORS = " Without an account, while public access is on: what is open to everybody.";
const WHO: Record<Who, string> = {
  anyone: "Anyone, signed in or not.",
  guest: "Everyone with an account.",
  member: "Everyone with an account except guests.",
  moderator: "Moderators, administrators and owners.",
  administrator: "Administrators and owners.",
  owner: "Owners.",
  operator: "The operator.",
  "operator or administrator": "The operator, administrators and owners.",
  "operator or owner": "The operator and owners.",
};

function operation({ endpoint, method, path }: Route): Json {
  const { who, bots, spectators, summary, takesFiles, sendsFile } = endpoint;
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string));
  const inBody = method === "POST" || method === "PUT" || method === "PATCH";
  const params = Object.entries(endpoint.params as Record<string, AnyParam>);
  const fields = inBody ? params.filter(([name]) => !inPath.has(name)) : [];
  const security =
    who === "anyone"
      ? [{}, { apiKey: [] }]
      : who === "operator"
        ? [{ operator: [] }]
        : [...(spectators ? [{}] : []), { apiKey: [] }, { operator: [] }];
  return {
    operationId: operationId(method, path),
    summary,
    description: `Who may call: ${WHO[who as Who]}${bots === false ? " Not bots." : ""}${spectators ? SPECTATORS : ""}`,
    security,
    parameters: params
      .filter(([name]) => !inBody || inPath.has(name))
      .map(([name, param]) => ({
        name,
        in: inPath.has(name) ? "path" : "query",
        required: inPath.has(name) || param.required,
        ...described(param),
        ...(param.travels === "json"
          ? { content: { "application/json": { schema: schemaOf(param) } } }
          : { schema: schemaOf(param) }),
      })),
    ...((fields.length > 0 || takesFiles) && { requestBody: requestBody(fields, takesFiles !== undefined) }),
    responses: {
      200: {
        description: "Success.",
        headers: limitHeaders,
        content: sendsFile
          ? { "*/*": { schema: BINARY } }
          : { "application/json": { schema: successSchema(endpoint) } },
      },
      400: { $ref: "#/components/responses/Error" },
      ...((needsUser(who) || who.startsWith("operator")) && {
        401: errorResponse("No credentials, or wrong ones.", { "WWW-Authenticate": { schema: { type: "string" } } }),
      }),
      429: errorResponse("Too many requests: wait for `retry-after` seconds.", {
        ...limitHeaders,
        "Retry-After": { schema: { type: "integer" } },
      }),
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

const BINARY = { type: "string", format: "binary" };

/** The part of a file can have any name. */
function requestBody(fields: [string, AnyParam][], takesFiles: boolean): Json {
  const required = fields.filter(([, param]) => param.required).map(([name]) => name);
  const schema = {
    type: "object",
    properties: {
      ...Object.fromEntries(fields.map(([name, param]) => [name, { ...schemaOf(param), ...described(param) }])),
      ...(takesFiles && { file: BINARY }),
    },
    ...(required.length > 0 && { required }),
  };
  const json = fields.filter(([, param]) => param.travels === "json");
  const content = {
    schema,
    ...(json.length > 0 && {
      encoding: Object.fromEntries(json.map(([name]) => [name, { contentType: "application/json" }])),
    }),
  };
  if (takesFiles) return { required: true, content: { "multipart/form-data": content } };
  return {
    required: required.length > 0,
    content: { "application/x-www-form-urlencoded": content, "multipart/form-data": content },
  };
}

function described({ description, aliases }: AnyParam): { description?: string } {
  const also = aliases.length > 0 ? `Also accepted as ${aliases.join(", ")}.` : "";
  const whole = [description, also].filter(Boolean).join(" ");
  return whole ? { description: whole } : {};
}

function schemaOf(param: AnyParam): Json {
  const schema = jsonSchema(param.schema, "input");
  return param.fallback === undefined ? schema : { ...schema, default: param.fallback };
}

function successSchema(endpoint: AnyEndpoint): Json {
  const own = endpoint.response ? jsonSchema(endpoint.response, "output") : {};
  const envelope = {
    type: "object",
    required: ["result", "msg"],
    properties: {
      result: { const: "success" },
      msg: { type: "string" },
      ignored_parameters_unsupported: { type: "array", items: { type: "string" } },
    },
  };
  if (!endpoint.response) return envelope;
  if (own.type === "object") {
    const open = opened(own);
    return {
      ...open,
      required: [...envelope.required, ...((open.required as string[] | undefined) ?? [])],
      properties: { ...envelope.properties, ...(open.properties as Json) },
    };
  }
  if (own.anyOf) return { allOf: [envelope, { ...own, anyOf: (own.anyOf as Json[]).map(opened) }] };
  return { allOf: [envelope, own] };
}

/** A closed schema would refuse the fields of the envelope. */
function opened({ additionalProperties: _closed, ...open }: Json): Json {
  return open;
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
  }) as Json;
  return rest;
}

/** `PATCH /api/v1/messages/{message_id}` → `patchMessagesMessageId`. */
function operationId(method: string, path: string): string {
  const words = path.replace(/^\/api\/v1/, "").match(/[A-Za-z0-9]+/g) ?? [];
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
}
