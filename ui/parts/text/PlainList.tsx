import { Box, type BoxProps } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./text.module.css";

export interface PlainListProps extends BoxProps {
  /** Draws lines between the items, and gives each its padding. */
  divided?: boolean;
  "aria-label"?: string;
  "aria-labelledby"?: string;
  children?: ReactNode;
}

/** A list without markers. Its items are `<li>`, or a `Group` with `component="li"`. */
export function PlainList({ divided = false, ...props }: PlainListProps) {
  // Safari takes the role of a list away where it has no markers.
  return <Box component="ul" role="list" {...props} className={classes.list} mod={{ divided }} />;
}
