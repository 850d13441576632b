import { Skeleton, Stack } from "@mantine/core";

const LINES = [0, 1, 2, 3, 4, 5];

export function PageSkeleton() {
  return (
    <Stack gap="xs" p="var(--hearth-gap)" aria-hidden="true">
      <Skeleton height="2rem" width="14rem" />
      <Skeleton height="1rem" width="24rem" maw="100%" />
      <Stack gap="md" mt="lg">
        {LINES.map((line) => (
          <Skeleton key={line} height="1.25rem" width={`${92 - 7 * line}%`} />
        ))}
      </Stack>
    </Stack>
  );
}
