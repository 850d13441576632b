import { Button, Group } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../BusyButton.tsx";
import { Callout } from "../Callout.tsx";
import { Dialog } from "../Dialog.tsx";
import { DiscardQuestion } from "../DiscardQuestion.tsx";
import { errorField, errorMessage } from "../error-messages.ts";
import { useDiscardQuestion } from "../use-discard-question.ts";
import classes from "./FormDialog.module.css";

export type FormOf<Values extends Record<string, unknown>> = ReturnType<typeof useForm<Values>>;
type Validation<Values extends Record<string, unknown>> = NonNullable<
  Parameters<typeof useForm<Values>>[0]
>["validate"];

export interface FormDialogProps<Values extends Record<string, unknown>> {
  title: string;
  submitLabel: string;
  initialValues: Values;
  /** Errors that are found before anything is sent, by field. */
  validate?: Validation<Values>;
  /** Sends it. What it throws is shown at the field that the server names, else above the buttons. */
  onSubmit(values: Values): Promise<unknown>;
  /** Closed, sent or not. */
  onClose(): void;
  children(form: FormOf<Values>): ReactNode;
}

/** A form in a dialog. One that was changed asks before it is left. */
export function FormDialog<Values extends Record<string, unknown>>(props: FormDialogProps<Values>) {
  const { title, submitLabel, initialValues, validate, onSubmit, onClose, children } = props;
  const { t } = useTranslation();
  const form = useForm<Values>({ initialValues, ...(validate && { validate }) });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const element = useRef<HTMLFormElement>(null);

  const focusFirstError = () =>
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());

  const submit = form.onSubmit(async (values) => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await onSubmit(values);
      close();
    } catch (refused) {
      const field = errorField(refused);
      if (field !== undefined && field in values) {
        // Before the next frame, which does not wait for React.
        flushSync(() => form.setFieldError(field, errorMessage(refused)));
        focusFirstError();
      } else setError(errorMessage(refused, t("errors.offlineForm")));
      setBusy(false);
    }
  }, focusFirstError);

  const { asks, leave, stay, discard, close, noteFocus } = useDiscardQuestion(() => form.isDirty() && !busy, onClose);

  return (
    <Dialog title={title} isForm onClose={leave}>
      <form
        className={classes.form}
        ref={element}
        onSubmit={submit}
        onFocusCapture={noteFocus}
        noValidate
        aria-busy={busy}
      >
        {children(form)}
        <div className={classes.end} data-form-end>
          {error && (
            <Callout tone="error" role="alert">
              {error}
            </Callout>
          )}
          {asks ? (
            <DiscardQuestion onDiscard={discard} onStay={stay} />
          ) : (
            <Group justify="end">
              <Button variant="default" onClick={leave}>
                {t("form.cancel")}
              </Button>
              <BusyButton type="submit" busy={busy}>
                {submitLabel}
              </BusyButton>
            </Group>
          )}
        </div>
      </form>
    </Dialog>
  );
}
