import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BACK_CLOSES, BackCloses } from "./back-closes.ts";
import classes from "./Dialog.module.css";

export interface DialogProps {
  title: string;
  opened?: boolean;
  /** A form stays open on a click beside it, so that nothing typed is lost. */
  isForm?: boolean;
  /** Its width at most, for code and tables. */
  size?: string;
  onClose(): void;
  children: ReactNode;
}

/** Composed of Mantine's parts, since the header of its ready-made Modal would be a second banner landmark of the page. */
export function Dialog({ title, opened = true, isForm = false, size, onClose, children }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={!isForm}
      closeOnEscape={!BACK_CLOSES}
      {...(size && { size })}
    >
      {opened && <BackCloses onClose={onClose} />}
      <Modal.Overlay />
      <Modal.Content>
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
