import "./mantine-pages.css";

// What the admin pages and their dialogs share, loaded with the first one except Overview.
export { adminPageTexts } from "../locales/en-admin-pages.ts";
