import "./mantine-pages.css";
import { adminPageTexts } from "../locales/en-admin-pages.ts";

/** The texts and styles of all pages except Overview, loaded with the first of these pages. */
export const pageTexts = adminPageTexts;
