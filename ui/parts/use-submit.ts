import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { errorField, errorMessage } from "./error-messages.ts";

type FieldTexts<Field extends string> = Record<Field, string>;

export interface SubmitOptions<Field extends string> {
  /** In the order of the form: the first field with an error takes the focus. */
  fields: readonly Field[];
  /** Validates before anything is sent. */
  check(values: FieldTexts<Field>): Partial<FieldTexts<Field>>;
  /** `signal` aborts when the form unmounts, so that a late response cannot affect another page. */
  send(values: FieldTexts<Field>, signal: AbortSignal): Promise<void>;
}

export interface Submission<Field extends string> {
  busy: boolean;
  errors: Partial<FieldTexts<Field>>;
  /** An error that belongs to no field. */
  error: string | undefined;
  onSubmit(event: SubmitEvent<HTMLFormElement>): void;
  /** Clears a field's error when the user types in it. */
  onInput(event: React.InputEvent<HTMLFormElement>): void;
}

/** Submits a form once. Errors appear at their fields, and the first takes the focus. */
export function useSubmit<Field extends string>({ fields, check, send }: SubmitOptions<Field>): Submission<Field> {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<FieldTexts<Field>>>({});
  const [error, setError] = useState<string>();
  const pending = useRef<AbortController>(undefined);
  useEffect(() => () => pending.current?.abort(), []);

  function showErrors(form: HTMLFormElement, found: Partial<FieldTexts<Field>>) {
    flushSync(() => setErrors(found));
    const first = fields.find((field) => found[field]);
    const control = first && form.elements.namedItem(first);
    if (control instanceof HTMLElement) control.focus();
  }

  async function submit(form: HTMLFormElement) {
    const data = new FormData(form);
    const values = Object.fromEntries(
      fields.map((field) => [field, String(data.get(field) ?? "")]),
    ) as FieldTexts<Field>;
    const found = check(values);
    setError(undefined);
    showErrors(form, found);
    if (Object.keys(found).length > 0) return;
    pending.current = new AbortController();
    const { signal } = pending.current;
    setBusy(true);
    try {
      await send(values, signal);
    } catch (caught) {
      if (signal.aborted) return;
      const field = errorField(caught) as Field | undefined;
      if (field && fields.includes(field))
        showErrors(form, { [field]: errorMessage(caught) } as Partial<FieldTexts<Field>>);
      else setError(errorMessage(caught, t("errors.offlineForm")));
    } finally {
      pending.current = undefined;
      setBusy(false);
    }
  }

  return {
    busy,
    errors,
    error,
    onSubmit(event) {
      event.preventDefault();
      if (!pending.current) void submit(event.currentTarget);
    },
    onInput(event) {
      const { name } = event.target as HTMLInputElement;
      if (errors[name as Field]) setErrors(({ [name as Field]: _, ...rest }) => rest as Partial<FieldTexts<Field>>);
    },
  };
}
