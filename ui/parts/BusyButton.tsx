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
 * A button for what takes a while. Mantine's own disables itself meanwhile and loses the focus, so that keyboard users
 * lose their place. This one stays enabled, so a form must guard against a second submit itself (useSubmit).
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
