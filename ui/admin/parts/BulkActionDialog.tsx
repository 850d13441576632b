import { Button, Group, Progress, Stack, Text, TextInput, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { noticeDone } from "../../parts/settings/notices.tsx";
import { PlainList } from "../../parts/text/PlainList.tsx";
import { type Failure, runBulkAction } from "./bulk-action.ts";
import { undoBulkAction } from "./undo-bulk-action.ts";

/** For more items than this, the user confirms a destructive action by typing their number. */
const MANY = 5;

export interface BulkActionDialogProps<Item> {
  title: string;
  submitLabel: string;
  isDestructive?: boolean;
  items: readonly Item[];
  itemName(item: Item): string;
  /** Whether the user has chosen everything that the action needs. Default true. */
  isReady?: boolean;
  /** Applies the action to all of these items, or to none. */
  run(items: readonly Item[]): Promise<unknown>;
  /** Reverts the action for one item; offered in a toast at the end. */
  undo?: (item: Item) => Promise<unknown>;
  /** The number of items per call. */
  batchSize?: number;
  children: ReactNode;
  /** `isDone`: whether the action ran. */
  onClose(isDone: boolean): void;
}

interface Run<Item> {
  readonly isOver: boolean;
  readonly isStopped: boolean;
  readonly done: number;
  readonly failures: readonly Failure<Item>[];
}

/** Applies an action to several items: asks, then shows the progress, then what failed. */
export function BulkActionDialog<Item>(props: BulkActionDialogProps<Item>) {
  const {
    title,
    submitLabel,
    isDestructive,
    items,
    itemName,
    isReady: isChosen = true,
    batchSize = 1,
    undo,
    children,
    onClose,
  } = props;
  const { t } = useTranslation();
  const [state, setState] = useState<Run<Item>>();
  const [typed, setTyped] = useState("");
  const typedCount = isDestructive && items.length > MANY ? String(items.length) : undefined;
  const isReady = isChosen && items.length > 0 && (typedCount === undefined || typed.trim() === typedCount);
  const stop = useRef<AbortController>(undefined);
  const onLeave = useRef<() => void>(undefined);
  const leave = () => {
    onLeave.current?.();
    onClose(true);
  };
  useEffect(() => () => stop.current?.abort(), []);

  const start = async () => {
    const controller = new AbortController();
    stop.current = controller;
    let failures: readonly Failure<Item>[] = [];
    let done = 0;
    setState({ isOver: false, isStopped: false, done, failures });
    await runBulkAction({
      items,
      batchSize,
      run: props.run,
      signal: controller.signal,
      onProgress(count, failed) {
        [done, failures] = [count, [...failed]];
        setState({ isOver: false, isStopped: false, done, failures });
      },
    });
    const refused = new Set(failures.map(({ item }) => item));
    const changed = items.slice(0, done).filter((item) => !refused.has(item));
    const takeBack = undo && changed.length > 0 && (() => undoBulkAction(changed, itemName, undo));
    if (changed.length === items.length) {
      noticeDone(t("several.done", { count: done }), takeBack || undefined);
      return onClose(true);
    }
    // The toast follows when the dialog closes: keys and screen readers do not leave the dialog.
    onLeave.current = () =>
      takeBack && noticeDone(t("several.result", { done: changed.length, count: items.length }), takeBack);
    setState({ isOver: true, isStopped: controller.signal.aborted, done, failures });
  };

  if (!state)
    return (
      <Dialog title={title} isForm onClose={() => onClose(false)}>
        <Stack
          component="form"
          gap="md"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) void start();
          }}
        >
          {children}
          {typedCount !== undefined && (
            <TextInput
              label={t("confirm.type", { name: typedCount })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              inputMode="numeric"
              autoComplete="off"
              data-autofocus
            />
          )}
          <Group justify="end">
            <Button
              variant="default"
              onClick={() => onClose(false)}
              {...(isDestructive && typedCount === undefined && { "data-autofocus": true })}
            >
              {t("confirm.cancel")}
            </Button>
            <Button type="submit" disabled={!isReady} {...(isDestructive && { color: "red" })}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    );

  const { isOver, isStopped, done, failures } = state;
  return (
    <Dialog title={title} isForm onClose={() => (isOver ? leave() : stop.current?.abort())}>
      <Stack gap="md">
        <Text role="status">
          {t(isOver ? "several.result" : "several.progress", { done: done - failures.length, count: items.length })}
        </Text>
        <Progress value={(100 * done) / items.length} aria-label={title} />
        {isStopped && <Callout tone="info">{t("several.stopped", { count: items.length - done })}</Callout>}
        {failures.length > 0 && (
          <>
            <Title order={3}>{t("several.failed", { count: failures.length })}</Title>
            <PlainList
              gap="xs"
              fz="sm"
              mah="40dvh"
              style={{ overflowY: "auto" }}
              tabIndex={0}
              aria-label={t("several.failed", { count: failures.length })}
            >
              {failures.map(({ item, error }) => (
                <li key={itemName(item)}>
                  <strong>
                    <bdi>{itemName(item)}</bdi>
                  </strong>{" "}
                  {errorMessage(error)}
                </li>
              ))}
            </PlainList>
          </>
        )}
        <Group justify="end">
          {isOver ? (
            <Button onClick={leave}>{t("several.close")}</Button>
          ) : (
            <Button variant="default" onClick={() => stop.current?.abort()}>
              {t("several.stop")}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
