import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../../parts/Callout.tsx";
import { InvitationDialog, type SharedLink } from "../invitations/InvitationDialog.tsx";
import { InviteImported } from "./InviteImported.tsx";
import type { Person } from "./use-people.ts";

/** Explains an imported account, and gives it to its person. */
export function ImportedPerson({ person, isChangeable }: { person: Person; isChangeable: boolean }) {
  const { t } = useTranslation();
  const [isInviting, setInviting] = useState(false);
  const [created, setCreated] = useState<{ links: readonly SharedLink[]; isMailed: boolean }>();
  return (
    <>
      <Callout tone="info">
        {t("people.imported.hint")}
        {isChangeable && (
          <Group gap="xs" mt="xs">
            <Button size="compact-md" onClick={() => setInviting(true)}>
              {t("people.imported.invite")}
            </Button>
          </Group>
        )}
      </Callout>
      {isInviting && (
        <InviteImported
          people={[person]}
          onClose={() => setInviting(false)}
          onCreated={(links, isMailed) => setCreated({ links, isMailed })}
        />
      )}
      {created && <InvitationDialog {...created} onClose={() => setCreated(undefined)} />}
    </>
  );
}
