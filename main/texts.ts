import { english, type Texts } from "./texts-en.ts";

// What users read of main/, in the language of their system. The pages have their own catalogue (ui/locales/).

/** In the language that `speak` was told last; English before. */
export const texts: Texts = { ...english };

let inGerman: ((sentence: string) => string | undefined) | undefined;

/** Takes the first of these languages (`de`, `en-GB`) that Hearth has, as the pages do with the browser's. */
export async function speak(tags: readonly string[]): Promise<void> {
  const language = tags.map((tag) => tag.split("-")[0]).find((code) => code === "de" || code === "en");
  const [own, sentences] =
    language === "de" ? await Promise.all([import("./texts-de.ts"), import("../ui/locales/de/in-german.ts")]) : [];
  Object.assign(texts, own?.german ?? english);
  inGerman = sentences?.inGerman;
}

/** An error's sentence in the language of the dialogs. Errors are English, since each page words them by itself. */
export const inWords = (sentence: string): string => inGerman?.(sentence) ?? sentence;

/** The messages of errors that the pages show, and the dialogs by `inWords`: ui/locales/de/desktop-sentences.ts. */
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
