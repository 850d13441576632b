import type { Figure } from "./figures.ts";
import type { Load } from "./generator.ts";

export type Section = (bench: {
  load: Load;
  quick: boolean;
  /** The number of messages in the large data set. */
  messages: number;
  tell(figure: Figure): void;
}) => Promise<void>;
