import { NumberInput, Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../api/client-context.ts";
import type { Channel } from "../../api/state-shape.ts";
import { Callout } from "../Callout.tsx";
import { ConfirmDialog } from "../settings/ConfirmDialog.tsx";
import { ExpiringCount } from "../settings/ExpiringCount.tsx";
import { FormDialog } from "../settings/FormDialog.tsx";
import { useOrganization } from "../settings/organization-context.ts";
import { useSaved } from "../settings/use-saved.ts";
import { useRetentionWords } from "./use-retention-words.ts";

const FOREVER = -1;
const inDays = (days: number) => (days === FOREVER ? Number.POSITIVE_INFINITY : days);

/** Asks before a shorter retention, because that deletes messages. */
export function RetentionSetting({ channel, disabled }: { channel: Channel; disabled: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const words = useRetentionWords();
  const [dialog, setDialog] = useState<"days" | "organization">();
  const ofOrganization = useOrganization((state) => state.realm_message_retention_days ?? FOREVER);
  const { stream_id } = channel;
  const { shown, error, isSaving, change } = useSaved<number | null>({
    value: channel.message_retention_days,
    name: t("channels.columns.retention"),
    save: (days) =>
      client.call("PATCH /streams/{stream_id}", {
        stream_id,
        message_retention_days: days === null ? "realm_default" : days === FOREVER ? "unlimited" : days,
      }),
  });
  const hasDays = shown !== null && shown !== FOREVER;
  return (
    <>
      <Select
        label={t("channels.columns.retention")}
        description={disabled && !channel.is_archived ? t("channels.retention.ownersOnly") : undefined}
        data={[
          { value: "organization", label: words(null) },
          { value: "forever", label: words(FOREVER) },
          ...(hasDays ? [{ value: "now", label: words(shown) }] : []),
          { value: "days", label: t("channels.retention.choose") },
        ]}
        value={shown === null ? "organization" : hasDays ? "now" : "forever"}
        error={error}
        disabled={disabled}
        aria-busy={isSaving}
        allowDeselect={false}
        onChange={(picked) => {
          if (picked === "forever" && shown !== FOREVER) change(FOREVER);
          if (picked === "days") setDialog("days");
          if (picked !== "organization" || shown === null) return;
          if (inDays(ofOrganization) < inDays(shown)) setDialog("organization");
          else change(null);
        }}
      />
      {dialog === "organization" && (
        <ConfirmDialog
          title={t("channels.retention.shorten", { name: channel.name })}
          confirmLabel={t("channels.retention.confirm", { count: ofOrganization })}
          onConfirm={async () => change(null)}
          onClose={() => setDialog(undefined)}
        >
          <p>{t("channels.retention.warning", { count: ofOrganization })}</p>
          <ExpiringCount days={ofOrganization} channelId={stream_id} />
        </ConfirmDialog>
      )}
      {dialog === "days" && (
        <FormDialog
          title={t("channels.retention.title", { name: channel.name })}
          submitLabel={t("channels.save")}
          initialValues={{ days: hasDays ? shown : ("" as number | "") }}
          validate={{ days: (days) => (Number.isInteger(days) ? null : t("channels.retention.missing")) }}
          onSubmit={async ({ days }) => change(Number(days))}
          onClose={() => setDialog(undefined)}
        >
          {(form) => (
            <>
              <NumberInput
                label={t("channels.retention.days")}
                min={1}
                allowDecimal={false}
                data-autofocus
                {...form.getInputProps("days")}
              />
              {Number(form.values.days) > 0 && (
                <Callout tone="warning">
                  <p>{t("channels.retention.warning", { count: Number(form.values.days) })}</p>
                  <ExpiringCount days={Number(form.values.days)} channelId={stream_id} />
                </Callout>
              )}
            </>
          )}
        </FormDialog>
      )}
    </>
  );
}
