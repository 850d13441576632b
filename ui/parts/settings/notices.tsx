import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import i18next from "i18next";
import type { ComponentProps } from "react";
import { errorMessage } from "../error-messages.ts";
import { IS_MAC } from "../is-mac.ts";
import { noticesShown } from "./notices-shown.ts";

const UNDO_MS = 10_000;
/** Presses the Undo button, which Tab does not reach while a drawer is open. */
export const UNDO_KEYS = IS_MAC ? "⌘Z" : "Ctrl Z";
/** Older notices close, so that many changes do not cover the page. */
const MAX_NOTICES = 3;
const open: string[] = [];
/** The undo functions of the shown notices. */
const undos = new Map<string, () => void>();

/** Confirms an action for a few seconds, with an Undo button. If `undo` resolves to false, it has reported its failure. */
export function noticeDone(text: string, undo?: () => Promise<unknown>): void {
  const { t } = i18next;
  noticesShown.set(true);
  const takeBack = () => {
    notifications.hide(id);
    undo?.().then(
      (outcome) => outcome === false || noticeDone(t("saving.undone")),
      (error: unknown) => noticeError(error),
    );
  };
  const id = notifications.show({
    message: undo ? (
      <WithButton
        text={text}
        label={t("saving.undo")}
        aria-keyshortcuts="Control+Z Meta+Z"
        title={UNDO_KEYS}
        onClick={takeBack}
      />
    ) : (
      text
    ),
    color: "moss",
    withCloseButton: true,
    closeButtonProps: { "aria-label": t("saving.dismiss") },
    ...(undo && { autoClose: UNDO_MS }),
    onClose: () => {
      undos.delete(id);
      open.splice(0, open.length, ...open.filter((other) => other !== id));
    },
  });
  open.push(id);
  if (undo) undos.set(id, takeBack);
  if (open.length > MAX_NOTICES) notifications.hide(open[0] as string);
}

interface WithButtonProps extends ComponentProps<typeof Button<"button">> {
  text: string;
  label: string;
  /** Puts the button below the text. */
  isLong?: boolean;
}

function WithButton({ text, label, isLong = false, ...button }: WithButtonProps) {
  return (
    <Group justify="space-between" gap="0.25rem">
      <span style={{ flex: `1 1 ${isLong ? "100%" : "6.5rem"}`, minWidth: 0 }}>{text}</span>
      <Button size="compact-sm" variant="subtle" style={{ flex: "none" }} {...button}>
        {label}
      </Button>
    </Group>
  );
}

/** Reports an interrupted action, with a button that continues it. Stays until it is closed. */
export function noticeStopped(text: string, label: string, goOn: () => void): void {
  noticesShown.set(true);
  const id = notifications.show({
    message: (
      <WithButton
        text={text}
        label={label}
        isLong
        onClick={() => {
          notifications.hide(id);
          goOn();
        }}
      />
    ),
    color: "red",
    role: "alert",
    autoClose: false,
    closeButtonProps: { "aria-label": i18next.t("saving.dismiss") },
  });
}

/** Runs the undo of the newest notice. Returns false if there is none. */
export function undoNewest(): boolean {
  const [id, takeBack] = [...undos].at(-1) ?? [];
  if (id === undefined || !takeBack) return false;
  undos.delete(id);
  takeBack();
  return true;
}

/** Shows the progress of an action that has no dialog. */
export function noticeProgress(text: string): { update(text: string): void; close(): void } {
  noticesShown.set(true);
  const shown = { loading: true, autoClose: false, withCloseButton: false, role: "status" } as const;
  const id = notifications.show({ ...shown, message: text });
  return {
    update: (message) => notifications.update({ ...shown, id, message }),
    close: () => notifications.hide(id),
  };
}

/** Reports a failed action. Stays until it is closed. */
export function noticeError(error: unknown, name?: string): void {
  const { t } = i18next;
  const reason = errorMessage(error);
  noticesShown.set(true);
  notifications.show({
    message: name === undefined ? t("saving.failed", { reason }) : t("saving.failedNamed", { name, reason }),
    color: "red",
    role: "alert",
    autoClose: false,
    closeButtonProps: { "aria-label": t("saving.dismiss") },
  });
}
