import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Hint } from "../../parts/text/Hint.tsx";

/** Shown in place of an empty list, with an action that creates the first entry. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Text fw="var(--hearth-semibold)">{title}</Text>
      {children && <Hint maw="32rem">{children}</Hint>}
      {action}
    </Stack>
  );
}
