import type { ReactNode } from "react";
import classes from "./Form.module.css";
import { Note } from "./Note.tsx";
import type { Submission } from "./use-submit.ts";

export interface FormProps {
  submission: Submission<string>;
  children: ReactNode;
}

/** Its fields below each other, and above them what is wrong and belongs to no field. */
export function Form({ submission: { onSubmit, onInput, trouble, busy }, children }: FormProps) {
  return (
    <form className={classes.form} onSubmit={onSubmit} onInput={onInput} noValidate aria-busy={busy}>
      {trouble && (
        <Note tone="error" role="alert">
          {trouble}
        </Note>
      )}
      {children}
    </form>
  );
}
