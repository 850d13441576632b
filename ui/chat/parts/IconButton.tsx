import { ActionIcon } from "@mantine/core";
import type { IconButtonProps } from "../../parts/icon-button-props.ts";

/** An icon button with a tooltip of Tooltips.tsx. */
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
