import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { fieldOf, inWords } from "./refusals.ts";

type Texts<Field extends string> = Record<Field, string>;

export interface SubmitOptions<Field extends string> {
  /** In the order of the form: the first bad one gets the focus. */
  fields: readonly Field[];
  /** What is wrong before anything is sent. */
  check(values: Texts<Field>): Partial<Texts<Field>>;
  /** `signal` aborts when the form goes: what comes later must not touch what is there by then. */
  send(values: Texts<Field>, signal: AbortSignal): Promise<void>;
}

export interface Submission<Field extends string> {
  busy: boolean;
  errors: Partial<Texts<Field>>;
  /** What belongs to no field. */
  error: string | undefined;
  onSubmit(event: SubmitEvent<HTMLFormElement>): void;
  /** Takes an error away when its field is typed in. */
  onInput(event: React.InputEvent<HTMLFormElement>): void;
}

/** One form: errors at their fields, the focus on the first of them, one sending at a time. */
export function useSubmit<Field extends string>({ fields, check, send }: SubmitOptions<Field>): Submission<Field> {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Texts<Field>>>({});
  const [error, setError] = useState<string>();
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);

  function show(form: HTMLFormElement, wrong: Partial<Texts<Field>>) {
    flushSync(() => setErrors(wrong));
    const first = fields.find((field) => wrong[field]);
    const control = first && form.elements.namedItem(first);
    if (control instanceof HTMLElement) control.focus();
  }

  async function submit(form: HTMLFormElement) {
    const data = new FormData(form);
    const values = Object.fromEntries(fields.map((field) => [field, String(data.get(field) ?? "")])) as Texts<Field>;
    const wrong = check(values);
    setError(undefined);
    show(form, wrong);
    if (Object.keys(wrong).length > 0) return;
    sending.current = new AbortController();
    const { signal } = sending.current;
    setBusy(true);
    try {
      await send(values, signal);
    } catch (caught) {
      if (signal.aborted) return;
      const field = fieldOf(caught) as Field | undefined;
      if (field && fields.includes(field)) show(form, { [field]: inWords(caught) } as Partial<Texts<Field>>);
      else setError(inWords(caught, t("errors.offlineForm")));
    } finally {
      sending.current = undefined;
      setBusy(false);
    }
  }

  return {
    busy,
    errors,
    error,
    onSubmit(event) {
      event.preventDefault();
      if (!sending.current) void submit(event.currentTarget);
    },
    onInput(event) {
      const { name } = event.target as HTMLInputElement;
      if (errors[name as Field]) setErrors(({ [name as Field]: _, ...rest }) => rest as Partial<Texts<Field>>);
    },
  };
}
