import { Text, type TextProps } from "@mantine/core";
import type { ReactNode } from "react";

/** Text in a line that shrinks: what does not fit is cut off with an ellipsis. */
export function Ellipsis({ children, ...props }: TextProps & { title?: string; children: ReactNode }) {
  return (
    <Text span inherit truncate="end" miw={0} {...props}>
      {children}
    </Text>
  );
}
