import type { Figure } from "./figures.ts";
import type { Load } from "./generator.ts";

export type Section = (bench: {
  load: Load;
  quick: boolean;
  /** Part of a row's name, for sections whose rows can be chosen. */
  rows: string;
  /** The number of messages in the large data set. */
  messages: number;
  tell(figure: Figure): void;
}) => Promise<void>;
