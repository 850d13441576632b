import type { Page } from "playwright-core";
import { en } from "../../ui/locales/en.ts";

/** Undoes what a notification reports. */
export const undo = (page: Page, notice: string) =>
  page
    .getByRole("alert")
    .filter({ has: page.getByText(notice, { exact: true }) })
    .getByRole("button", { name: en.saving.undo })
    .last()
    .click();
