import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useOrganization } from "../../admin-context.ts";
import { BulletList } from "../../parts/BulletList.tsx";
import { FileList, FileRow } from "../../parts/FileList.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { StatusText } from "../../parts/StatusText.tsx";
import { countsInWords } from "./CountList.tsx";
import type { Import } from "./use-imports.ts";

interface EarlierImportsProps {
  imports: readonly Import[];
  /** Whether another import or removal runs. */
  isBusy: boolean;
  refetch(): Promise<void>;
}

export function EarlierImports({ imports, isBusy, refetch }: EarlierImportsProps) {
  const { t } = useTranslation();
  const [removedId, setRemovedId] = useState<number>();
  const ended = imports.filter(({ state }) => state !== "writing");
  const removed = ended.find(({ id }) => id === removedId);
  return (
    <PageSection title={t("moveIn.earlier")} description={ended.length > 0 ? t("moveIn.earlierLead") : undefined}>
      {ended.length === 0 && <Hint>{t("moveIn.empty")}</Hint>}
      {ended.length > 0 && (
        <FileList label={t("moveIn.earlier")}>
          {ended.map((one) => (
            <Row key={one.id} one={one} isBusy={isBusy} onRemove={() => setRemovedId(one.id)} />
          ))}
        </FileList>
      )}
      {removed && <RemoveDialog removed={removed} refetch={refetch} onClose={() => setRemovedId(undefined)} />}
    </PageSection>
  );
}

function Row({ one, isBusy, onRemove }: { one: Import; isBusy: boolean; onRemove(): void }) {
  const { t } = useTranslation();
  const { format, name, started_by, started_at, state, counts } = one;
  const starter = useOrganization(({ realm_users }) => realm_users?.find(({ user_id }) => user_id === started_by));
  const by = started_by === null ? t("moveIn.operator") : starter?.full_name;
  return (
    <FileRow
      title={
        <>
          {t(`moveIn.formats.${format}`)} · <bdi>{name}</bdi>
        </>
      }
      tools={
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          disabled={isBusy || state === "removing"}
          aria-label={t("moveIn.removeNamed", { name })}
          onClick={onRemove}
        >
          {t("moveIn.remove")}
        </Button>
      }
    >
      <Hint>{countsInWords(counts, t)}</Hint>
      <Hint>
        <RelativeTime at={started_at} />
        {by !== undefined && ` · ${t("exports.by", { name: by })}`}
      </Hint>
      {state === "removing" && <StatusText tone="warning">{t("moveIn.beingRemoved")}</StatusText>}
    </FileRow>
  );
}

interface RemoveDialogProps {
  removed: Import;
  refetch(): Promise<void>;
  onClose(): void;
}

function RemoveDialog({ removed, refetch, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [isConfirmed, setConfirmed] = useState(false);
  const { id, name, counts, added_messages: messages, added_reactions: reactions } = removed;
  const hasAdditions = messages + reactions > 0;
  return (
    <ConfirmDialog
      title={t("moveIn.removeTitle", { name })}
      confirmLabel={t("moveIn.removeConfirm")}
      isReady={!hasAdditions || isConfirmed}
      onConfirm={async () => {
        const call = { import_id: id, with_additions: hasAdditions };
        await client.call("DELETE /host/imports/{import_id}", call).finally(refetch);
      }}
      onClose={onClose}
    >
      <Stack gap="sm">
        <div>
          <Text>{t("moveIn.removeText")}</Text>
          <BulletList>
            <li>{countsInWords({ ...counts, people: 0 }, t)}</li>
            <li>{t("moveIn.removePeople")}</li>
          </BulletList>
        </div>
        {hasAdditions && (
          <>
            <Callout tone="warning">
              {t("moveIn.additions", {
                messages: t("moveIn.inWords.messages", { count: messages }),
                reactions: t("moveIn.inWords.reactions", { count: reactions }),
              })}
            </Callout>
            <Checkbox
              label={t("moveIn.additionsConfirm")}
              checked={isConfirmed}
              onChange={(event) => setConfirmed(event.currentTarget.checked)}
            />
          </>
        )}
      </Stack>
    </ConfirmDialog>
  );
}
