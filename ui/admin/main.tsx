import { adminPageTexts } from "../locales/en-admin.ts";
import { addTexts } from "../locales/i18n.ts";
import { showPage } from "../parts/show-page.tsx";
import { App } from "./App.tsx";

addTexts(adminPageTexts);
showPage(<App desktop={window.hearth} />);
