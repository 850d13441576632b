import { Button, Group } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../BusyButton.tsx";
import { Callout } from "../Callout.tsx";
import { Dialog } from "../Dialog.tsx";
import { DiscardQuestion } from "../DiscardQuestion.tsx";
import { errorField, errorMessage } from "../error-messages.ts";
import { useDiscardQuestion } from "../use-discard-question.ts";
import classes from "./settings.module.css";

export type FormOf<Values extends Record<string, unknown>> = ReturnType<typeof useForm<Values>>;
type Validation<Values extends Record<string, unknown>> = NonNullable<
  Parameters<typeof useForm<Values>>[0]
>["validate"];

export interface FormDialogProps<Values extends Record<string, unknown>> {
  title: string;
  submitLabel: string;
  initialValues: Values;
  /** Errors by field, before anything is sent. */
  validate?: Validation<Values>;
  /** Its error is shown at the field that the server names, otherwise above the buttons. */
  onSubmit(values: Values): Promise<unknown>;
  onClose(): void;
  children(form: FormOf<Values>): ReactNode;
}

/** A form in a dialog. A changed form asks before it closes. */
export function FormDialog<Values extends Record<string, unknown>>(props: FormDialogProps<Values>) {
  const { title, submitLabel, initialValues, validate, onSubmit, onClose, children } = props;
  const { t } = useTranslation();
  const form = useForm<Values>({ initialValues, ...(validate && { validate }) });
  const element = useRef<HTMLFormElement>(null);
  const focusFirstError = () =>
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  const fieldOf = (error: unknown, values: Values) => {
    const field = errorField(error);
    return field !== undefined && field in values ? field : undefined;
  };
  const send = useMutation({
    mutationFn: onSubmit,
    onSuccess: () => close(),
    onError: (error, values) => {
      const field = fieldOf(error, values);
      if (field === undefined) return;
      // The next frame does not wait for React.
      flushSync(() => form.setFieldError(field, errorMessage(error)));
      focusFirstError();
    },
  });
  const busy = send.isPending;
  const error = send.error && fieldOf(send.error, send.variables) === undefined ? send.error : undefined;
  const submit = form.onSubmit((values) => {
    if (!busy) send.mutate(values);
  }, focusFirstError);

  const { asks, leave, stay, discard, close, noteFocus } = useDiscardQuestion(() => form.isDirty() && !busy, onClose);

  return (
    <Dialog title={title} isForm onClose={leave}>
      <form
        className={classes.dialogForm}
        ref={element}
        onSubmit={submit}
        onFocusCapture={noteFocus}
        noValidate
        aria-busy={busy}
      >
        {children(form)}
        <div className={classes.dialogEnd} data-form-end>
          {error && (
            <Callout tone="error" role="alert">
              {errorMessage(error, t("errors.offlineForm"))}
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
