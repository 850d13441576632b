import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { WireSession } from "../../server/api/presenters/sessions.ts";
import { RelativeTime } from "./RelativeTime.tsx";
import { Hint } from "./text/Hint.tsx";
import { PlainList } from "./text/PlainList.tsx";

export interface SessionListProps {
  label: string;
  sessions: readonly WireSession[];
  onEnd(session: WireSession): void;
}

/** A person's sessions, newest first. */
export function SessionList({ label, sessions, onEnd }: SessionListProps) {
  const { t } = useTranslation();
  const nameOf = ({ browser, system }: WireSession) => {
    if (browser && system) return t("sessions.of", { browser, system });
    return browser || system || t("sessions.unknown");
  };
  return (
    <PlainList divided w="100%" aria-label={label}>
      {sessions.map((session) => (
        <Group component="li" key={session.id} justify="space-between" gap="xxs" mih="3.25rem">
          <span>
            <Text span display="block" size="sm">
              {nameOf(session)}
            </Text>
            <Hint span size="xs">
              {t("sessions.since")} <RelativeTime at={session.created_at} />
            </Hint>
          </span>
          {session.is_current ? (
            <Hint span size="xs">
              {t("sessions.current")}
            </Hint>
          ) : (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              aria-label={t("sessions.endNamed", { name: nameOf(session) })}
              onClick={() => onEnd(session)}
            >
              {t("sessions.end")}
            </Button>
          )}
        </Group>
      ))}
    </PlainList>
  );
}
