import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type { en } from "./en.ts";
import { everyPageTexts } from "./en-every-page.ts";
import { type ErrorTexts, errorText, type ReportedProblem } from "./error-texts.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

/**
 * Languages by their own names. Each except English is a folder here, with its texts in `bundles/`, `errors.ts` and
 * `causes.ts`.
 */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;
export const isLanguage = (code: string | null | undefined): code is Language => code != null && code in LANGUAGES;

void i18next.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  resources: { en: { translation: everyPageTexts } },
  interpolation: { escapeValue: false }, // React escapes
  initAsync: false,
});

type Texts = Partial<typeof en>;
type Translation = Exclude<Language, "en">;
export type LoadTexts = (language: Translation) => Promise<{ texts: { [key in keyof Texts]: object } }>;

/** Loaders of the texts that this page uses, each with the languages that it has loaded. */
const loaders = new Map<LoadTexts, Set<Translation>>([
  [(language) => import(`./${language}/bundles/every-page.ts`), new Set()],
]);

interface ErrorsOfLanguage {
  readonly errors: Partial<ErrorTexts>;
  /** Why a system refused something, by Node's codes. */
  readonly causes: Readonly<Record<string, string>>;
}
const errorsOf = new Map<Language, ErrorsOfLanguage>();

/** Loads the texts of errors. Pages show the server's English messages without them. */
export async function loadErrors(language = i18next.language as Language): Promise<void> {
  if (errorsOf.has(language)) return;
  const [{ errors }, { causes }] = await (language === "en"
    ? Promise.all([import("./en-errors.ts"), { causes: {} }])
    : Promise.all([import(`./${language}/errors.ts`), import(`./${language}/causes.ts`)]));
  errorsOf.set(language, { errors, causes });
}

async function loadTexts(language: Language): Promise<void> {
  if (language === "en") return;
  const loadBundle = async ([load, loaded]: [LoadTexts, Set<Translation>]) => {
    if (loaded.has(language)) return;
    i18next.addResourceBundle(language, "translation", (await load(language)).texts, true);
    loaded.add(language);
  };
  await Promise.all([...loaders].map(loadBundle));
}

/** A problem in the user's language, or the server's message if this page has no text for its reason. */
export function problemInWords(problem: ReportedProblem | null | undefined): string {
  if (!problem) return "";
  return errorText(errorsOf.get(i18next.language as Language)?.errors ?? {}, problem) ?? problem.msg ?? problem.reason;
}

/** `ENOSPC: no space left on device, write`, `listen EADDRINUSE: address already in use 0.0.0.0:80`. */
const NODE_ERROR = /^(?:[a-z_]+ )?(E[A-Z0-9]+)\b[^']*(?:'([^']+)')?/;

/** The reason of a system error in the user's language; unknown reasons keep Node's words. */
export function causeInWords(cause: string): string {
  const [, code = "", path] = NODE_ERROR.exec(cause) ?? [];
  const words = errorsOf.get(i18next.language as Language)?.causes[code];
  return words === undefined ? cause : `${words} (${path === undefined ? code : `${code}: ${path}`})`;
}

/**
 * Adds English texts of a part of the page before it shows. `load` imports the same texts of another language, from
 * that language's folder, when the user reads it.
 */
export async function addTexts(texts: Texts, load: LoadTexts): Promise<void> {
  i18next.addResourceBundle("en", "translation", texts, true);
  if (!loaders.has(load)) loaders.set(load, new Set());
  await loadTexts(i18next.language as Language);
}

/** The text at a computed key, without placeholders; undefined if it does not exist or is not loaded. */
export const textAt = (key: string): string | undefined =>
  i18next.exists(key) ? i18next.t(key as "audit.title") : undefined;

const KEY = "hearth-language";

export function chosenLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(KEY);
    return isLanguage(stored) ? stored : undefined;
  } catch {
    return undefined; // the browser may forbid storage
  }
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {} // the choice lasts until the page closes
}

/** The chosen language, else the first of the browser's languages that Hearth has. */
export const firstLanguage = (): Language =>
  chosenLanguage() ?? navigator.languages.map((tag) => tag.split("-")[0]).find(isLanguage) ?? "en";

/** Rejects if the language's texts cannot be loaded. */
export async function showLanguage(language: Language): Promise<void> {
  await loadTexts(language);
  await i18next.changeLanguage(language);
  if (errorsOf.size > 0) await loadErrors();
  document.documentElement.lang = language;
  document.documentElement.dir = i18next.dir(language);
}

const locales = new Map<string, string>();

/** A locale for Intl: the language of the texts, with the number and time formats of the user's country. */
export function locale(): string {
  const { language } = i18next;
  const preferred = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? navigator.languages[0];
  const tag = preferred ?? language;
  const key = `${language} ${tag}`;
  let cached = locales.get(key);
  if (cached === undefined) {
    const { region } = new Intl.Locale(tag).maximize();
    cached = region ? `${language}-${region}` : language;
    locales.set(key, cached);
  }
  return cached;
}

const numberFormats = new Map<string, Intl.NumberFormat>();
// i18next's own formatter would use the number format of the language's default country.
i18next.services.formatter?.add("number", (value: number) => {
  const format = numberFormats.get(locale()) ?? new Intl.NumberFormat(locale());
  numberFormats.set(locale(), format);
  return format.format(value);
});
