import { Progress, Stack } from "@mantine/core";
import { Hint } from "../../parts/text/Hint.tsx";

export interface WorkProgressProps {
  label: string;
  done: number;
  /** 0 while unknown. */
  total: number;
  /** Replaces the label below the bar. */
  text?: string | undefined;
}

/** A progress bar. Screen readers skip the figures below it, which change all the time. */
export function WorkProgress({ label, done, total, text = label }: WorkProgressProps) {
  return (
    <Stack gap="xs" flex="1 1 16rem">
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={label} />
      <Hint aria-hidden>{text}</Hint>
    </Stack>
  );
}
