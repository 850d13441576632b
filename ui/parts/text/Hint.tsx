import { Text, type TextProps } from "@mantine/core";
import type { ReactNode } from "react";

export interface HintProps extends Omit<TextProps, "c" | "textWrap" | "style"> {
  id?: string;
  role?: "status" | "alert";
  "aria-hidden"?: true;
  "data-until"?: "medium";
  /** For paragraphs that stand alone: no line gets longer than is comfortable to read. */
  isLead?: boolean;
  children?: ReactNode;
}

/** Secondary text: a paragraph, or with `span` a part of a line. */
export function Hint({ isLead = false, ...props }: HintProps) {
  return (
    <Text
      size="sm"
      c="dimmed"
      textWrap="pretty"
      {...(isLead && { maw: "44rem" })}
      {...props}
      style={{ overflowWrap: "anywhere" }}
    />
  );
}
