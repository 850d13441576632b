import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";

export type IconButtonProps = ActionIconProps &
  Omit<ComponentPropsWithRef<"button">, keyof ActionIconProps | "aria-label" | "title"> & { label: string };

/** A button with an icon, whose label is also its tooltip. */
export const IconButton = ({ label, ...button }: IconButtonProps) => (
  <ActionIcon variant="subtle" color="gray" {...button} aria-label={label} title={label} />
);
