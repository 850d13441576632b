import { Store } from "../../api/store.ts";

/** Whether there was a notice. NoticeArea is loaded with the first. */
export const noticesShown = new Store(false);
