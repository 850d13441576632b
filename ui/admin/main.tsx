import { adminWindowTexts } from "../locales/en-admin.ts";
import { addTexts } from "../locales/i18n.ts";
import { showPage } from "../parts/show-page.tsx";
import { App } from "./App.tsx";

void addTexts(adminWindowTexts, () => import("../locales/de-admin.ts").then((all) => all.adminWindowTexts));
showPage(<App desktop={window.hearth} />);
