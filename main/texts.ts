import { english, type Texts } from "./texts-en.ts";

// Texts of main/, in the system's language. The pages have their own catalogue (ui/locales/).

/** English until `speak` chooses a language. */
export const texts: Texts = { ...english };

let inGerman: ((sentence: string) => string | undefined) | undefined;

/** Chooses the first supported language, as the pages do with the browser's languages. */
export async function speak(tags: readonly string[]): Promise<void> {
  const language = tags.map((tag) => tag.split("-")[0]).find((code) => code === "de" || code === "en");
  const [own, sentences] =
    language === "de" ? await Promise.all([import("./texts-de.ts"), import("../ui/locales/de/sentences.ts")]) : [];
  Object.assign(texts, own?.german ?? english);
  inGerman = sentences?.translateSentence;
}

/** Translates the English message of an error for dialogs. The pages translate errors themselves. */
export const inWords = (sentence: string): string => inGerman?.(sentence) ?? sentence;

/** Error messages for pages and dialogs. Their German is in ui/locales/de/desktop-sentences.ts. */
export const errorTexts = {
  folderMissing: (folder: string) =>
    `The data folder ${folder} is not there. If it is on another disk, connect that disk and try again.`,
  folderForbidden: (folder: string) => `This user may not read and write in the data folder ${folder}.`,
  folderHoldsOther: (folder: string) =>
    `${folder} holds files that are not Hearth's. Choose an empty folder, or one with an organization.`,
  noFolderChosen: "No folder has been chosen.",
  noOldFolder: "The folder that the data was moved from is not there any more.",
  quitting: "Hearth is quitting.",
  movesInCircles: (folder: string) =>
    `The data of ${folder} was moved, but no folder that it leads to holds it. Choose the folder of your organization.`,
  settingsNotKept: (why: string) => `Hearth's settings could not be written, so nothing has changed: ${why}`,
  settingsUnusable: (path: string, why: string) => `The settings ${path} can be neither read nor put aside: ${why}`,
};
