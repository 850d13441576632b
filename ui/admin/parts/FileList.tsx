import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { PlainList } from "../../parts/text/PlainList.tsx";

/** A list of `FileRow`. */
export function FileList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <PlainList divided aria-label={label}>
      {children}
    </PlainList>
  );
}

/** A file that the server created, such as a backup. */
export function FileRow({ title, tools, children }: { title: ReactNode; tools: ReactNode; children: ReactNode }) {
  return (
    <Group component="li" align="start" justify="space-between" gap="xs">
      <Stack gap="xxs" flex="1 1 18rem" miw={0} fz="sm">
        <Text component="strong" inherit fw="var(--hearth-semibold)">
          {title}
        </Text>
        {children}
      </Stack>
      <Group gap="xxs">{tools}</Group>
    </Group>
  );
}
