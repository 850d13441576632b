import i18next from "i18next";
import { Refusal } from "../api/client.ts";
import { sentenceInWords } from "../locales/i18n.ts";
import { duration } from "./format.ts";

/**
 * An error as a sentence in the user's language, or the server's sentence if there is none. `offline` is the sentence for
 * a server that did not respond.
 */
export function errorMessage(error: unknown, offline: string = i18next.t("errors.offline")): string {
  const { t } = i18next;
  // Errors of the desktop's bridge are English sentences for users. Errors of fetch (TypeError, DOMException) are not.
  if (error instanceof Error && error.name === "Error")
    return i18next.language === "en" ? error.message : inWords(error.message);
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
      return inWords(error.message, errorField(error));
  }
}

/**
 * A sentence of the server in the user's language. Some sentences begin with the name of the parameter, which is
 * removed: `short_name: 1 to 50 letters …`, `topics[0].name is too long …`.
 */
export function inWords(sentence: string, field?: string): string {
  const rest = field === undefined ? sentence : withoutField(sentence, field);
  const words = sentenceInWords(sentence) ?? sentenceInWords(rest) ?? sentence;
  const shown = field === undefined ? words : withoutField(words, field);
  return shown === sentence ? sentence : shown.charAt(0).toUpperCase() + shown.slice(1);
}

function withoutField(sentence: string, field: string): string {
  if (!sentence.startsWith(field)) return sentence;
  const rest = sentence.slice(field.length);
  // In a JSON value, the path of the error follows.
  const [end] = /^(?:\[\d+\]|\.[^\s:.]+)*(?:: | )/.exec(rest) ?? [];
  return end === undefined ? sentence : rest.slice(end.length);
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
