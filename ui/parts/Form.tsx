import { type ReactNode, useEffect, useRef } from "react";
import classes from "./Form.module.css";
import { Note } from "./Note.tsx";
import type { Submission } from "./use-submit.ts";

export interface FormProps {
  submission: Submission<string>;
  children: ReactNode;
}

/** Its fields below each other, and above what sends them what is wrong and belongs to no field. */
export function Form({ submission: { onSubmit, onInput, error, busy }, children }: FormProps) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Enter in the first field of a long form sends it too.
    if (error) note.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  return (
    <form className={classes.form} onSubmit={onSubmit} onInput={onInput} noValidate aria-busy={busy}>
      {error && (
        <div className={classes.trouble} ref={note}>
          <Note tone="error" role="alert">
            {error}
          </Note>
        </div>
      )}
      {children}
    </form>
  );
}
