import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";

/** Opens `item` from the admin window's palette after typing `query`. */
export async function openFromPalette(page: Page, query: string, item: string): Promise<void> {
  await page.keyboard.press("Control+K");
  const field = page.getByPlaceholder(en.shell.paletteHint);
  await field.fill(query);
  await page.getByRole("option", { selected: true }).filter({ hasText: item }).waitFor();
  await field.press("Enter");
}
