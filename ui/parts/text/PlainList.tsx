import { Box, type BoxProps } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./text.module.css";

export interface PlainListProps extends BoxProps {
  /** Draws a line between the items. */
  divided?: boolean;
  ordered?: boolean;
  /** The distance of the items, a step of the theme. */
  gap?: "xxs" | "xs" | "sm" | "md";
  tabIndex?: number;
  "aria-label"?: string;
  children?: ReactNode;
}

/** A list without markers. Its items are `<li>`, or a `Group` with `component="li"`. */
export function PlainList({ divided = false, ordered = false, gap, style, ...props }: PlainListProps) {
  const grid = gap && { display: "grid", gap: `var(--mantine-spacing-${gap})` };
  return (
    <Box
      component={ordered ? "ol" : "ul"}
      className={classes.list}
      mod={{ divided }}
      style={[{ ...grid }, style]}
      {...props}
    />
  );
}
