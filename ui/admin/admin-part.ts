import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { addTexts } from "../locales/i18n.ts";
import { loadPart } from "../parts/lazy-part.ts";

const loadGerman = () => import("../locales/de-admin-pages.ts").then((all) => all.adminPageTexts);

async function loadShared(): Promise<void> {
  const { textsOfPages } = await import("./what-pages-share.ts");
  await addTexts(textsOfPages, loadGerman);
}

/** Fetches a page, or a dialog of one, with the texts and styles that the window does not begin with. */
export const loadAdminPart = <Part>(load: () => Promise<Part>): Promise<Part> =>
  loadPart(async () => (await Promise.all([load(), loadShared()]))[0]);

/** React's `lazy`, of such a part. */
// biome-ignore lint/suspicious/noExplicitAny: as React declares it: any props
export const adminPart = <Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
): LazyExoticComponent<Part> => lazy(() => loadAdminPart(load));
