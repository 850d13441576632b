import { adminWindowTexts } from "../locales/en-admin.ts";
import { addTexts, firstLanguage, loadErrors } from "../locales/i18n.ts";
import { showPage } from "../parts/show-page.tsx";
import { App } from "./App.tsx";

void addTexts(adminWindowTexts, (language) => import(`../locales/${language}/bundles/admin.ts`));
void loadErrors(firstLanguage()).catch(() => {}); // pages show stored errors, and those of the desktop app
showPage(<App desktop={window.hearth} />);
