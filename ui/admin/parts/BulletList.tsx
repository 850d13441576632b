import { Box } from "@mantine/core";
import type { ReactNode } from "react";

/** A list with markers, such as the consequences of an action. Its items are `<li>`. */
export function BulletList({ children }: { children: ReactNode }) {
  return (
    <Box component="ul" m={0} mt="xs" ps="1.25rem">
      {children}
    </Box>
  );
}
