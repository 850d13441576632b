import { Box, Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Callout } from "../../../parts/Callout.tsx";
import { InvitationDialog } from "../invitations/InvitationDialog.tsx";
import type { SharedLink } from "../invitations/InvitationLink.tsx";
import { InviteImported } from "./InviteImported.tsx";
import { MergePerson } from "./MergePerson.tsx";
import type { Person } from "./use-people.ts";

/** Explains an imported account, and gives it to its person. */
export function ImportedPerson({ person, isChangeable }: { person: Person; isChangeable: boolean }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<"invite" | "merge">();
  const [created, setCreated] = useState<{ links: readonly SharedLink[]; isMailed: boolean }>();
  return (
    <>
      <Box mb="md">
        <Callout tone="info">
          {t("importedPeople.hint")}
          {isChangeable && (
            <Group gap="xs" mt="xs">
              <Button size="compact-md" onClick={() => setDialog("invite")}>
                {t("importedPeople.invite")}
              </Button>
              <Button size="compact-md" variant="default" onClick={() => setDialog("merge")}>
                {t("importedPeople.merge")}
              </Button>
            </Group>
          )}
        </Callout>
      </Box>
      {dialog === "invite" && (
        <InviteImported
          people={[person]}
          onClose={() => setDialog(undefined)}
          onCreated={(links, isMailed) => setCreated({ links, isMailed })}
        />
      )}
      {dialog === "merge" && <MergePerson person={person} onClose={() => setDialog(undefined)} />}
      {created && <InvitationDialog {...created} onClose={() => setCreated(undefined)} />}
    </>
  );
}
