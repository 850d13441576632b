import { Button, type ButtonProps, Loader } from "@mantine/core";
import type { MouseEventHandler } from "react";
import classes from "./BusyButton.module.css";

export interface BusyButtonProps extends Pick<ButtonProps, "size" | "variant" | "color" | "maw"> {
  busy: boolean;
  type?: "submit" | "button";
  onClick?: MouseEventHandler<HTMLButtonElement>;
  "aria-label"?: string;
  children: string;
}

/**
 * A button for what takes a while. Mantine's own is disabled meanwhile, so that it loses the focus, and with it whoever
 * works by keyboard their place. Forms must not send twice by themselves (useSubmit).
 */
export function BusyButton({ busy, type = "button", onClick, children, ...look }: BusyButtonProps) {
  return (
    <Button
      {...look}
      type={type}
      onClick={busy ? undefined : onClick}
      aria-disabled={busy}
      data-busy={busy}
      className={classes.button}
    >
      <span className={classes.words}>{children}</span>
      {busy && <Loader className={classes.loader} size="1.25em" color="currentColor" aria-hidden="true" />}
    </Button>
  );
}
