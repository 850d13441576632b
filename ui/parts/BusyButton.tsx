import { Button, type ButtonProps, Loader } from "@mantine/core";
import type { MouseEventHandler } from "react";
import classes from "./BusyButton.module.css";

export interface BusyButtonProps extends Pick<ButtonProps, "size" | "variant" | "color" | "maw" | "leftSection"> {
  busy: boolean;
  type?: "submit" | "button";
  onClick?: MouseEventHandler<HTMLButtonElement>;
  "aria-label"?: string;
  "aria-describedby"?: string;
  children: string;
}

/**
 * A button with a loading state. Mantine's button is disabled while it loads and loses the focus, so keyboard users lose
 * their position. This button stays enabled, so forms must prevent a second submit (useSubmit).
 */
export function BusyButton({ busy, type = "button", onClick, children, ...buttonProps }: BusyButtonProps) {
  return (
    <Button
      {...buttonProps}
      type={type}
      onClick={busy ? undefined : onClick}
      aria-disabled={busy}
      data-busy={busy}
      className={classes.button}
    >
      <span className={classes.label}>{children}</span>
      {busy && <Loader className={classes.loader} size="1.25em" color="currentColor" aria-hidden="true" />}
    </Button>
  );
}
