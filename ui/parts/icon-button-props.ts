import type { ActionIconProps } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";

/** `label`: for screen readers and as the tooltip. */
export type IconButtonProps = ActionIconProps &
  Omit<ComponentPropsWithRef<"button">, keyof ActionIconProps | "aria-label" | "title"> & { label: string };
