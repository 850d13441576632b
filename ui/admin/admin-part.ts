import type { ComponentProps, ComponentType, ReactNode } from "react";
import { addTexts, type LoadTexts } from "../locales/i18n.ts";
import { lazyPart, loadPart } from "../parts/lazy-part.ts";

const loadTranslation: LoadTexts = (language) => import(`../locales/${language}/bundles/admin-pages.ts`);

async function loadShared(): Promise<void> {
  const { adminPageTexts } = await import("./texts-and-styles.ts");
  await addTexts(adminPageTexts, loadTranslation);
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
