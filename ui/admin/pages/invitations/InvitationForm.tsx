import { Button, Group, MultiSelect, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import type { State } from "../../../api/state-shape.ts";
import { BusyButton } from "../../../parts/BusyButton.tsx";
import { Form } from "../../../parts/Form.tsx";
import { useSubmit } from "../../../parts/use-submit.ts";
import { GUEST, MEMBER, ROLES, type Role, roleKey, roleName } from "../../parts/roles.ts";
import classes from "./InvitationForm.module.css";

export interface InvitationFormProps {
  /** The role of whoever invites. */
  ownRole: number;
  /** With `streams` and `realm_default_streams`. */
  organizationState: State | undefined;
  onCancel(): void;
  /** Called with the address of the new link. */
  onMade(link: string): void;
}

const DAY_MINUTES = 1440;
/** Days after which a link ends. The empty one: never. */
const ENDS = ["1", "10", "30", ""] as const;
const USUAL_END = "10";
/** A long list is searched, not scrolled. */
const OPTIONS_SHOWN = 100;

/** Makes a link by which any number of people join. */
export function InvitationForm({ ownRole, organizationState, onCancel, onMade }: InvitationFormProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [role, setRole] = useState(String(Math.max(ownRole, MEMBER)));
  const [channelIds, setChannelIds] = useState<string[]>([]);
  const isGuest = Number(role) === GUEST;
  const channels = (organizationState?.streams ?? []).filter(({ is_archived }) => !is_archived);
  const defaults = new Set(organizationState?.realm_default_streams ?? []);
  const granted = isGuest ? [] : channels.filter(({ stream_id }) => defaults.has(stream_id));
  const choices = channels.filter((channel) => !granted.includes(channel));
  const names = new Intl.ListFormat(undefined, { type: "conjunction" }).format(granted.map(({ name }) => name));

  const submission = useSubmit({
    fields: ["invite_as", "end"],
    check: () => ({}),
    async send({ invite_as, end }, signal) {
      const { invite_link } = await client.call(
        "POST /invites/multiuse",
        {
          invite_as: Number(invite_as) as Role,
          invite_expires_in_minutes: end === "" ? null : Number(end) * DAY_MINUTES,
          // Those that are default channels when somebody joins.
          include_realm_default_subscriptions: !isGuest,
          stream_ids: choices.map(({ stream_id }) => stream_id).filter((id) => channelIds.includes(String(id))),
        },
        signal,
      );
      onMade(invite_link);
    },
  });
  const { errors, busy } = submission;
  return (
    <Form submission={submission}>
      <NativeSelect
        name="invite_as"
        label={t("invitations.role")}
        description={t(`invitations.roleHints.${roleKey(Number(role))}`)}
        error={errors.invite_as}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value)}
        // Nobody invites to a role above their own.
        data={ROLES.filter((one) => one >= ownRole).map((one) => ({ value: String(one), label: roleName(one, t) }))}
        data-autofocus
      />
      <NativeSelect
        name="end"
        label={t("invitations.end")}
        error={errors.end}
        defaultValue={USUAL_END}
        data={ENDS.map((days) => ({
          value: days,
          label: days === "" ? t("invitations.never") : t("invitations.days", { count: Number(days) }),
        }))}
      />
      <MultiSelect
        label={t(granted.length > 0 ? "invitations.moreChannels" : "invitations.channels")}
        description={granted.length > 0 ? t("invitations.grantedChannels", { names }) : t("invitations.channelsHint")}
        data={choices.map(({ stream_id, name }) => ({ value: String(stream_id), label: name }))}
        value={channelIds}
        onChange={setChannelIds}
        limit={OPTIONS_SHOWN}
        classNames={{ inputField: classes.search }}
        nothingFoundMessage={t("invitations.noChannel")}
        searchable
        clearable
        clearButtonProps={{ "aria-label": t("invitations.clearChannels") }}
      />
      <Group justify="end">
        <Button variant="default" onClick={onCancel}>
          {t("invitations.cancel")}
        </Button>
        <BusyButton type="submit" busy={busy}>
          {t("invitations.make")}
        </BusyButton>
      </Group>
    </Form>
  );
}
