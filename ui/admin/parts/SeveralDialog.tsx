import { Button, Group, Progress, TextInput } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../parts/Callout.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { errorMessage } from "../../parts/error-messages.ts";
import { noticeDone } from "../../parts/settings/notices.tsx";
import { type Failure, runOnSeveral } from "./run-on-several.ts";
import classes from "./SeveralDialog.module.css";
import { undoOnSeveral } from "./undo-on-several.ts";

/** What cannot be undone is large beyond this: then their number has to be typed. */
const MANY = 5;

export interface SeveralDialogProps<Item> {
  title: string;
  submitLabel: string;
  /** The button is red; for many things, their number has to be typed. */
  isDestructive?: boolean;
  items: readonly Item[];
  itemName(item: Item): string;
  /** What is to be chosen has been. */
  isReady?: boolean;
  /** Does it to these, to all or to none. */
  run(items: readonly Item[]): Promise<unknown>;
  /** Takes back what was done to one of them; offered in a notice when all is done. */
  undo?: (item: Item) => Promise<unknown>;
  /** How many one call takes. */
  batchSize?: number;
  /** What is chosen before, and what follows from it. */
  children: ReactNode;
  /** `isDone`: it was done to all of them, or to as many as possible. */
  onClose(isDone: boolean): void;
}

interface Run<Item> {
  readonly isOver: boolean;
  readonly isStopped: boolean;
  readonly done: number;
  readonly failures: readonly Failure<Item>[];
}

/** Does something to several things at once: what, then how far it is, then what failed for whom. */
export function SeveralDialog<Item>(props: SeveralDialogProps<Item>) {
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
    await runOnSeveral({
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
    const takeBack = undo && changed.length > 0 && (() => undoOnSeveral(changed, itemName, undo));
    if (changed.length === items.length) {
      noticeDone(t("several.done", { count: done }), takeBack || undefined);
      return onClose(true);
    }
    // The notice is beside the dialog, where neither keys nor screen readers reach it: it follows when that is closed.
    onLeave.current = () =>
      takeBack && noticeDone(t("several.result", { done: changed.length, count: items.length }), takeBack);
    setState({ isOver: true, isStopped: controller.signal.aborted, done, failures });
  };

  if (!state)
    return (
      <Dialog title={title} isForm onClose={() => onClose(false)}>
        <form
          className={classes.form}
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
        </form>
      </Dialog>
    );

  const { isOver, isStopped, done, failures } = state;
  return (
    <Dialog title={title} isForm onClose={() => (isOver ? leave() : stop.current?.abort())}>
      <div className={classes.form}>
        <p role="status" className={classes.progress}>
          {t(isOver ? "several.result" : "several.progress", { done: done - failures.length, count: items.length })}
        </p>
        <Progress value={(100 * done) / items.length} aria-label={title} />
        {isStopped && <Callout tone="info">{t("several.stopped", { count: items.length - done })}</Callout>}
        {failures.length > 0 && (
          <>
            <h3 className={classes.failed}>{t("several.failed", { count: failures.length })}</h3>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keys */}
            <ul className={classes.failures} tabIndex={0} aria-label={t("several.failed", { count: failures.length })}>
              {failures.map(({ item, error }) => (
                <li key={itemName(item)}>
                  <strong>
                    <bdi>{itemName(item)}</bdi>
                  </strong>{" "}
                  {errorMessage(error)}
                </li>
              ))}
            </ul>
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
      </div>
    </Dialog>
  );
}
