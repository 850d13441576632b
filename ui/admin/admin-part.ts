import type { ComponentProps, ComponentType, ReactNode } from "react";
import { addTexts, type LoadTexts } from "../locales/i18n.ts";
import { lazyPart, loadPart } from "../parts/lazy-part.ts";

const loadTranslation: LoadTexts = (language) => import(`../locales/${language}/bundles/admin-pages.ts`);

async function loadShared(): Promise<void> {
  const { pageTexts } = await import("./texts-and-styles.ts");
  await addTexts(pageTexts, loadTranslation);
}

const withShared = async <Part>(load: () => Promise<Part>): Promise<Part> =>
  (await Promise.all([load(), loadShared()]))[0];

/** Loads a page or dialog, with the texts and styles that the admin window starts without. */
export const loadAdminPart = <Part>(load: () => Promise<Part>): Promise<Part> => loadPart(() => withShared(load));

/** A `lazyPart` with the same texts and styles. */
// biome-ignore lint/suspicious/noExplicitAny: as React declares its own: any props
export const adminPart = <Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
  Placeholder?: ComponentType,
): ((props: ComponentProps<Part>) => ReactNode) => lazyPart(() => withShared(load), Placeholder);
