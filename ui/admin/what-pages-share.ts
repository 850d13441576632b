import "./mantine-pages.css";
import { adminPageTexts } from "../locales/en-admin-pages.ts";
import { addSettingLabels } from "./parts/audit-sentences.ts";
import { settingLabel } from "./parts/setting-labels.ts";

addSettingLabels(settingLabel);

/** Loaded with the first page or dialog that is not Overview's own. */
export const textsOfPages = adminPageTexts;
