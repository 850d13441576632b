import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Ellipsis } from "../../../parts/text/Ellipsis.tsx";

/** A number in large type, with its label. */
export function Figure({ value, label, aside }: { value: string; label: string; aside?: ReactNode }) {
  return (
    <Group align="baseline" gap="xs" mt="md" c="dimmed" fz="sm">
      <span>
        <Text span c="var(--hearth-ink)" fz="min(2rem, 12vw)" fw="var(--hearth-bold)" lh={1.2}>
          {value}
        </Text>{" "}
        {label}
      </span>
      {aside && (
        <Text span size="xs" ms="auto">
          {aside}
        </Text>
      )}
    </Group>
  );
}

export interface PersonRowProps {
  name: string;
  avatar: string;
  size: number;
  children?: ReactNode;
}

/** A list item with a person's picture and name. */
export function PersonRow({ name, avatar, size, children }: PersonRowProps) {
  return (
    <Group component="li" gap="var(--hearth-row)" wrap="nowrap" miw={0} fz="sm">
      <img
        src={avatar}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        style={{ flex: "none", borderRadius: "50%", background: "var(--hearth-sunken)" }}
      />
      <Ellipsis flex={1} title={name}>
        <bdi>{name}</bdi>
      </Ellipsis>
      {children}
    </Group>
  );
}
