import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Hint } from "../../parts/text/Hint.tsx";

export interface PageSectionProps {
  title: string;
  description?: string | undefined;
  aside?: ReactNode;
  /** The title's level: 2 on a page without a title of its own, where the content also sets its own margins. */
  level?: 2 | 3;
  children: ReactNode;
}

/** A part of a page with a title. */
export function PageSection({ title, description, aside, level = 3, children }: PageSectionProps) {
  const id = useId();
  return (
    <Stack
      component="section"
      gap="sm"
      miw={0}
      {...(level === 2 && { display: "block" })}
      data-level={level}
      aria-labelledby={id}
    >
      <Group
        align="baseline"
        justify="space-between"
        gap="0 var(--mantine-spacing-md)"
        pb="var(--hearth-row)"
        style={{ borderBlockEnd: "1px solid var(--hearth-line-strong)" }}
      >
        <Title id={id} order={level} size="h2" lts="var(--hearth-tight)">
          {title}
        </Title>
        {aside && <Hint span>{aside}</Hint>}
      </Group>
      {description && <Hint isLead>{description}</Hint>}
      {children}
    </Stack>
  );
}
