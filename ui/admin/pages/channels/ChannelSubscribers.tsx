import { ActionIcon, Button, Checkbox, Group, Skeleton, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ChevronRight, UserPlus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { wordMatcher } from "../../../parts/folded.ts";
import { PeoplePicker } from "../../../parts/pickers.tsx";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import classes from "../../parts/details.module.css";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { useAnswer } from "../../use-answer.ts";
import { useRole } from "../../use-role.ts";
import { type Channel, isPrivate, kindOf } from "./channel-kinds.ts";
import { useChannelRights } from "./use-channel-rights.ts";

/** Number of rows before and after each click on the button for more. */
const PAGE = 100;

export function ChannelSubscribers({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const client = useClient();
  const { stream_id, name } = channel;
  const { data, error } = useAnswer("GET /streams/{stream_id}/members", { stream_id }, { changedBy: ["subscription"] });
  const { addsSubscribers, removesSubscribers } = useChannelRights(channel);
  const { isAdministrator } = useRole();
  const users = useOrganization(({ realm_users }) => realm_users);
  const [query, setQuery] = useState("");
  const [shown, setShown] = useState(PAGE);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [dialog, setDialog] = useState<"add" | "remove">();
  const ids = useMemo(() => new Set(data?.subscribers), [data]);
  const subscribers = useMemo(
    () =>
      (users ?? []).filter(({ user_id }) => ids.has(user_id)).sort((a, b) => a.full_name.localeCompare(b.full_name)),
    [users, ids],
  );

  if (error) return <Callout tone="info">{t("channels.subscribers.refused", { reason: errorMessage(error) })}</Callout>;
  if (!data) return <Skeleton height="8rem" />;

  const matches = wordMatcher(query);
  const found = subscribers.filter(({ full_name }) => matches(full_name));
  // Another person can have removed a chosen subscriber.
  const removed = [...chosen].filter((id) => ids.has(id));
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const subscribe = (principals: number[]) =>
    client.call("POST /users/me/subscriptions", { subscriptions: [{ name }], principals });
  const unsubscribe = (principals: number[]) =>
    client.call("DELETE /users/me/subscriptions", { subscriptions: [name], principals });

  return (
    <div>
      {!channel.is_archived && addsSubscribers && (
        <Button
          mb="sm"
          variant="default"
          size="sm"
          leftSection={<UserPlus size="1rem" aria-hidden="true" />}
          onClick={() => setDialog("add")}
        >
          {t("channels.subscribers.add")}
        </Button>
      )}
      {subscribers.length === 0 ? (
        <EmptyState title={t("channels.subscribers.empty")} />
      ) : (
        <>
          <SearchField
            placeholder={t("table.search")}
            aria-label={t("channels.subscribers.search")}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <Group gap="xs" mt="sm">
            <Text span size="sm" role="status">
              {removed.length > 0
                ? t("table.selected", { count: removed.length })
                : t("channels.subscribers.count", { count: found.length })}
            </Text>
            {removed.length > 0 && !channel.is_archived && (
              <Button size="compact-sm" variant="default" onClick={() => setDialog("remove")}>
                {t("channels.subscribers.remove", { count: removed.length })}
              </Button>
            )}
          </Group>
          <ul className={classes.list} aria-label={t("channels.tabs.subscribers")}>
            {found.slice(0, shown).map(({ user_id, full_name, is_bot }) => (
              <li key={user_id} className={classes.item}>
                <Checkbox
                  flex={1}
                  miw={0}
                  size="sm"
                  label={full_name}
                  checked={chosen.has(user_id)}
                  disabled={channel.is_archived || !removesSubscribers}
                  onChange={() => toggle(user_id)}
                />
                {isAdministrator && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t("channels.subscribers.open", { name: full_name })}
                    title={t("channels.subscribers.open", { name: full_name })}
                    renderRoot={(props) => (
                      <Link to={is_bot ? "/bots" : "/people"} search={{ open: String(user_id) }} {...props} />
                    )}
                  >
                    <ChevronRight size="1.125rem" aria-hidden="true" />
                  </ActionIcon>
                )}
              </li>
            ))}
          </ul>
          {found.length > shown && (
            <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => setShown(shown + PAGE)}>
              {t("channels.subscribers.more", { count: found.length - shown })}
            </Button>
          )}
        </>
      )}
      {dialog === "add" && (
        <FormDialog
          title={t("channels.subscribers.addTitle", { name })}
          submitLabel={t("channels.subscribers.addSubmit")}
          initialValues={{ principals: [] as number[] }}
          validate={{ principals: (people) => (people.length === 0 ? t("channels.create.nobody") : null) }}
          onSubmit={async ({ principals }) => {
            await subscribe(principals);
            noticeDone(t("channels.subscribers.added", { count: principals.length }), () => unsubscribe(principals));
          }}
          onClose={() => setDialog(undefined)}
        >
          {(form) => (
            <PeoplePicker
              bots
              groups
              label={t("channels.create.people")}
              value={form.values.principals}
              onChange={(people) => form.setFieldValue("principals", people)}
              error={form.errors["principals"]}
              exclude={ids}
              autoFocus
            />
          )}
        </FormDialog>
      )}
      {dialog === "remove" && (
        <ConfirmDialog
          title={t("channels.subscribers.removeTitle", { count: removed.length, name })}
          confirmLabel={t("channels.subscribers.remove", { count: removed.length })}
          onConfirm={async () => {
            await unsubscribe(removed);
            setChosen(new Set());
            noticeDone(t("channels.subscribers.removed", { count: removed.length }), () => subscribe(removed));
          }}
          onClose={() => setDialog(undefined)}
        >
          {t(isPrivate(kindOf(channel)) ? "channels.subscribers.removePrivate" : "channels.subscribers.removePublic")}
        </ConfirmDialog>
      )}
    </div>
  );
}
