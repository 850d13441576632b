import "./mantine-pages.css";
import { adminPageTexts } from "../locales/en-admin-pages.ts";

/** Loaded with the first page or dialog that is not Overview's own. */
export const textsOfPages = adminPageTexts;
