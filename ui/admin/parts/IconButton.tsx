import { ActionIcon } from "@mantine/core";
import type { IconButtonProps } from "../../parts/icon-button-props.ts";

/** An icon button with the browser's tooltip. */
export const IconButton = ({ label, ...button }: IconButtonProps) => (
  <ActionIcon variant="subtle" color="gray" {...button} aria-label={label} title={label} />
);
