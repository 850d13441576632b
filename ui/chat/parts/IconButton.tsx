import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";

export type IconButtonProps = ActionIconProps &
  Omit<ComponentPropsWithRef<"button">, keyof ActionIconProps | "aria-label" | "title"> & { label: string };

/** A button with an icon, whose label is also its tooltip. */
export function IconButton({ label, variant, ...button }: IconButtonProps) {
  return (
    <ActionIcon
      size="lg"
      {...(variant ? { variant } : { variant: "subtle", color: "gray" })}
      {...button}
      aria-label={label}
      data-tooltip={label}
    />
  );
}
