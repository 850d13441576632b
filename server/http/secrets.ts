import type { IncomingMessage } from "node:http";
import type { Fields } from "./params.ts";

/** Names of fields whose values nobody else may read. `code`: what permits a first run. */
const SECRET_FIELD = /passw|secret|token|key|code|credential/i;

/** The secrets that a request holds, as they were sent: an error may quote what it could not read. */
export function secretsOf(request: IncomingMessage, fields: readonly Fields[]): string[] {
  const { authorization = "", cookie = "" } = request.headers;
  const credentials = authorization.replace(/^\w+ +/, "");
  const plain = /^basic /i.test(authorization) ? Buffer.from(credentials, "base64").toString("utf8") : "";
  const cookies = cookie.split(";").map((one) => one.slice(one.indexOf("=") + 1).trim());
  const sent = fields.flatMap((some) => [...some].flatMap(([name, value]) => (SECRET_FIELD.test(name) ? [value] : [])));
  return [credentials, plain.slice(plain.indexOf(":") + 1), ...cookies, ...sent].filter((secret) => secret !== "");
}
