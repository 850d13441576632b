import i18next from "i18next";
import { Refusal } from "../api/client.ts";
import { duration } from "./format.ts";

/**
 * What went wrong, for the person who caused it. Where the catalogue has no words, the server's own sentence. `offline`
 * is what to say where there was no answer.
 */
export function inWords(error: unknown, offline: string = i18next.t("errors.offline")): string {
  const { t } = i18next;
  // The desktop's bridge tells in words; what fetch throws (a TypeError, a DOMException) has none for people.
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
      return error.message;
  }
}

/** The field that the refusal is about, if it says so. */
export function fieldOf(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  if (error.code === "INVALID_SETUP_CODE") return "code";
  const name = error.data["var_name"];
  return typeof name === "string" ? name : undefined;
}
