import { z } from "zod";

/** The controls of settings in the pages. `SHOWN` names those that do not follow from a setting's allowed values. */
export const CONTROLS = [
  "switch",
  "number",
  "limit",
  "choice",
  "names",
  "group",
  "text",
  "lines",
  "address",
  "language",
  "channel",
  "period",
  "days",
  "minutes",
  "rate limits",
] as const;
export type Control = (typeof CONTROLS)[number];

/** Metadata for the pages that does not follow from a setting's allowed values. */
interface Shown {
  readonly control?: Control;
  /** The pages can offer a smaller range than the API accepts. */
  readonly min?: number;
  readonly max?: number;
  readonly max_length?: number;
}
export const SHOWN = z.registry<Shown>();

type Taker<Section> = Section extends unknown ? (section: Section) => void : never;
/** The intersection of the sections. */
export type Merged<Sections> = Taker<Sections[keyof Sections]> extends (settings: infer All) => void ? All : never;

/** The settings of all sections, by name. The sections' page does not show those in the section `elsewhere`. */
export const settingsOf = <Sections extends Readonly<Record<string, object>>>(sections: Sections) =>
  Object.fromEntries(
    Object.values(sections)
      .flatMap((section) => Object.entries(section))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ) as Merged<Sections>;
