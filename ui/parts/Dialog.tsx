import { Modal } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { BACK_CLOSES, BackCloses } from "./back-closes.ts";
import classes from "./Dialog.module.css";

export interface DialogProps {
  title: string;
  opened?: boolean;
  /** A form stays open on a click outside, so that no input is lost. */
  isForm?: boolean;
  /** A search field or sections above change the content: the dialog grows at its end, so that they do not move. */
  finds?: boolean;
  /** The maximum width. */
  size?: string;
  onClose(): void;
  children: ReactNode;
}

/** Composed of Mantine's parts: the header of its Modal would be a second banner landmark. */
export function Dialog({ title, opened = true, isForm = false, finds = false, size, onClose, children }: DialogProps) {
  const { t } = useTranslation();
  const content = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (opened && !BACK_CLOSES && event.key === "Escape" && !event.isComposing && isFor(event, content.current))
      onClose();
  };
  useWindowEvent("keydown", onKeyDown, true);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={!isForm}
      closeOnEscape={false}
      {...(finds && { centered: false, yOffset: "10dvh" })}
      {...(size && { size })}
    >
      {opened && <BackCloses onClose={onClose} />}
      <Modal.Overlay />
      <Modal.Content ref={content}>
        <Modal.Body className={classes.body}>
          <div className={classes.header}>
            <Modal.Title className={classes.title}>{title}</Modal.Title>
            <Modal.CloseButton aria-label={t("dialog.close")} />
          </div>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Whether Escape is for this dialog, and not for a picker, a list or a dialog above it. */
function isFor({ target }: KeyboardEvent, content: HTMLElement | null): boolean {
  const focused = target as Element;
  if (focused.getAttribute("data-mantine-stop-propagation") === "true") return false;
  const dialogs = [...document.querySelectorAll("[role=dialog][aria-modal=true]")];
  return (focused.closest("[role=dialog], [role=menu]") ?? dialogs.at(-1)) === content;
}
