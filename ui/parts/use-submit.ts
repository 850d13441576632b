import { type SubmitEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { fieldOf, inWords } from "./refusals.ts";

type Texts<Field extends string> = Record<Field, string>;

export interface SubmitOptions<Field extends string> {
  /** In the order of the form: the first bad one gets the focus. */
  fields: readonly Field[];
  /** What is wrong before anything is sent. */
  check(values: Texts<Field>): Partial<Texts<Field>>;
  send(values: Texts<Field>): Promise<void>;
}

export interface Submission<Field extends string> {
  busy: boolean;
  errors: Partial<Texts<Field>>;
  /** What belongs to no field. */
  trouble: string | undefined;
  onSubmit(event: SubmitEvent<HTMLFormElement>): void;
  /** Takes an error away when its field is typed in. */
  onInput(event: React.InputEvent<HTMLFormElement>): void;
}

/** One form: errors at their fields, the focus on the first of them, one sending at a time. */
export function useSubmit<Field extends string>({ fields, check, send }: SubmitOptions<Field>): Submission<Field> {
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Partial<Texts<Field>>>({});
  const [trouble, setTrouble] = useState<string>();
  const sending = useRef(false);

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
    setTrouble(undefined);
    show(form, wrong);
    if (Object.keys(wrong).length > 0) return;
    sending.current = true;
    setBusy(true);
    try {
      await send(values);
    } catch (error) {
      const field = fieldOf(error) as Field | undefined;
      if (field && fields.includes(field)) show(form, { [field]: inWords(error) } as Partial<Texts<Field>>);
      else setTrouble(inWords(error));
    } finally {
      sending.current = false;
      setBusy(false);
    }
  }

  return {
    busy,
    errors,
    trouble,
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
