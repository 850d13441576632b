import { Box, type BoxProps } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./text.module.css";

export interface FactsProps extends BoxProps {
  labelWidth?: string;
  children: ReactNode;
}

/** Labels and values, side by side. */
export function Facts({ labelWidth, ...props }: FactsProps) {
  return <Box component="dl" {...props} className={classes.facts} __vars={{ "--label-width": labelWidth }} />;
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
