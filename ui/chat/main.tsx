import { chatPageTexts } from "../locales/en-chat.ts";
import { addTexts } from "../locales/i18n.ts";
import { showPage } from "../parts/show-page.tsx";
import { App } from "./App.tsx";
import { registerOffline } from "./offline/register.ts";

void addTexts(chatPageTexts, (language) => import(`../locales/${language}/bundles/chat.ts`));
showPage(<App />);
registerOffline();
