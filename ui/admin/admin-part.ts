import type { ComponentProps, ComponentType, ReactNode } from "react";
import { addTexts } from "../locales/i18n.ts";
import { lazyPart, loadPart } from "../parts/lazy-part.ts";

const loadGerman = () => import("../locales/de-admin-pages.ts").then((all) => all.adminPageTexts);

async function loadShared(): Promise<void> {
  const { textsOfPages } = await import("./what-pages-share.ts");
  await addTexts(textsOfPages, loadGerman);
}

const withShared = async <Part>(load: () => Promise<Part>): Promise<Part> =>
  (await Promise.all([load(), loadShared()]))[0];

/** Fetches a page, or a dialog of one, with the texts and styles that the window does not begin with. */
export const loadAdminPart = <Part>(load: () => Promise<Part>): Promise<Part> => loadPart(() => withShared(load));

/** A `lazyPart` with those. */
// biome-ignore lint/suspicious/noExplicitAny: as React declares its own: any props
export const adminPart = <Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
  Meanwhile?: ComponentType,
): ((props: ComponentProps<Part>) => ReactNode) => lazyPart(() => withShared(load), Meanwhile);
