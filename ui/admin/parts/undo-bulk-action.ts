import i18next from "i18next";
import { errorMessage } from "../../parts/error-messages.ts";
import { noticeProgress } from "../../parts/settings/notices.tsx";
import { type Failure, runBulkAction } from "./bulk-action.ts";

/** Reverts an action for several items, with a progress toast. @throws an error that lists the failed items. */
export async function undoBulkAction<Item>(
  items: readonly Item[],
  itemName: (item: Item) => string,
  undo: (item: Item) => Promise<unknown>,
): Promise<void> {
  const { t } = i18next;
  const count = items.length;
  const progress = noticeProgress(t("several.undoing", { done: 0, count }));
  let failed: readonly Failure<Item>[] = [];
  try {
    await runBulkAction({
      items,
      batchSize: 1,
      run: ([item]) => undo(item as Item),
      signal: new AbortController().signal,
      onProgress(done, failures) {
        failed = failures;
        progress.update(t("several.undoing", { done, count }));
      },
    });
  } finally {
    progress.close();
  }
  if (failed.length === 0) return;
  const reasons = failed.map(({ item, error }) => `${itemName(item)}: ${errorMessage(error)}`).join(" ");
  throw new Error(t("several.undoRefused", { done: count - failed.length, count, reasons }));
}
