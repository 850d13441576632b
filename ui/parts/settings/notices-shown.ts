import { Store } from "../../api/store.ts";

/** Whether there has been a notice: where they appear is loaded with the first. */
export const noticesShown = new Store(false);
