import { adminWindowTexts } from "../locales/en-admin.ts";
import { addTexts } from "../locales/i18n.ts";
import { showPage } from "../parts/show-page.tsx";
import { App } from "./App.tsx";

void addTexts(adminWindowTexts, (language) => import(`../locales/${language}/bundles/admin.ts`));
showPage(<App desktop={window.hearth} />);
