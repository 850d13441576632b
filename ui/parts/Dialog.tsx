import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Dialog.module.css";

export interface DialogProps {
  title: string;
  opened?: boolean;
  /** Whether something is typed in it, which a click beside it is not to throw away. */
  isForm?: boolean;
  onClose(): void;
  children: ReactNode;
}

/** Put together here, since the header of Mantine's own would be a second banner of the page. */
export function Dialog({ title, opened = true, isForm = false, onClose, children }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal.Root opened={opened} onClose={onClose} closeOnClickOutside={!isForm}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className={classes.body}>
          <div className={classes.head}>
            <Modal.Title className={classes.title}>{title}</Modal.Title>
            <Modal.CloseButton aria-label={t("dialog.close")} />
          </div>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
