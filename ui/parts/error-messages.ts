import i18next from "i18next";
import { Refusal } from "../api/client.ts";
import { duration } from "./format.ts";

/**
 * An error as a sentence for the user: the locale's own, or the server's if the locale has none. `offline` is the
 * sentence for a server that did not answer.
 */
export function errorMessage(error: unknown, offline: string = i18next.t("errors.offline")): string {
  const { t } = i18next;
  // Errors of the desktop's bridge are written for users; those of fetch (a TypeError, a DOMException) are not.
  if (error instanceof Error && error.name === "Error") return error.message;
  if (!(error instanceof Refusal)) return offline;
  switch (error.code) {
    case "RATE_LIMIT_HIT":
      return t("errors.throttled", { wait: duration(Number(error.data["retry-after"] ?? 60) * 1000) });
    case "AUTHENTICATION_FAILED":
      return t("errors.wrongPassword");
    case "USER_DEACTIVATED":
      return t("errors.deactivated");
    case "BAD_ORIGIN":
      return t("errors.badOrigin");
    case "INVALID_SETUP_CODE":
      return t("errors.setupCode");
    case "ALREADY_SET_UP":
      return t("errors.alreadySetUp");
    case "SERVER_NOT_READY":
      return t("errors.restarting");
    default:
      return withoutField(error);
  }
}

/** The server begins some sentences with the parameter's name, for programs: `short_name: 1 to 50 letters …`. */
function withoutField(error: Refusal): string {
  const prefix = `${errorField(error)}: `;
  if (!error.message.startsWith(prefix)) return error.message;
  const sentence = error.message.slice(prefix.length);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The field that the server's error names, if any. */
export function errorField(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  if (error.code === "INVALID_SETUP_CODE") return "code";
  const name = error.data["var_name"];
  return typeof name === "string" ? name : undefined;
}

/** The link that opened this page is invalid, expired or used up. */
export const isTokenError = (error: unknown): boolean => errorField(error) === "token";
