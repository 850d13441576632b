import { type ReactNode, useEffect, useRef } from "react";
import { Callout } from "./Callout.tsx";
import classes from "./Form.module.css";
import type { Submission } from "./use-submit.ts";

export interface FormProps {
  submission: Submission<string>;
  children: ReactNode;
}

/** Fields in a column. An error that belongs to no field stands above the submit button. */
export function Form({ submission: { onSubmit, onInput, error, busy }, children }: FormProps) {
  const callout = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Enter in the first field of a long form submits it too, far from the error.
    if (error) callout.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  return (
    <form className={classes.form} onSubmit={onSubmit} onInput={onInput} noValidate aria-busy={busy}>
      {error && (
        <div className={classes.error} ref={callout}>
          <Callout tone="error" role="alert">
            {error}
          </Callout>
        </div>
      )}
      {children}
    </form>
  );
}
