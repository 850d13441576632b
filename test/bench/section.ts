import type { Figure } from "./figures.ts";
import type { Load } from "./generator.ts";

export type Section = (bench: {
  load: Load;
  quick: boolean;
  /** Text that a row's name has to contain, where a section has rows to choose from. */
  rows: string;
  /** The number of messages in the large data set. */
  messages: number;
  tell(figure: Figure): void;
}) => Promise<void>;
