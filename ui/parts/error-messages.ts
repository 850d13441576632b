import i18next from "i18next";
import { Refusal } from "../api/client.ts";
import { isProblem } from "../locales/error-texts.ts";
import { problemInWords } from "../locales/i18n.ts";
import { duration } from "./format.ts";

/** An error in the user's language. `offline` is the text for a server that did not respond. */
export function errorMessage(error: unknown, offline: string = i18next.t("errors.offline")): string {
  const { t } = i18next;
  if (isProblem(error)) return problemInWords(error); // from the desktop app
  // Our own errors have texts. Errors of fetch (TypeError, DOMException) do not.
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
      return problemInWords(error.problem);
  }
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
