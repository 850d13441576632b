import { Button, Group, Input, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { wordMatcher } from "../../../parts/folded.ts";
import { ConfirmDialog } from "../../../parts/settings/ConfirmDialog.tsx";
import { FormDialog } from "../../../parts/settings/FormDialog.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { Page } from "../../parts/Page.tsx";
import { PictureButton } from "../../parts/PictureButton.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { useTarget } from "../../parts/use-target.ts";
import { useRole } from "../../use-role.ts";
import classes from "./EmojiPage.module.css";
import { mayAddEmoji } from "./may-add-emoji.ts";

export function EmojiPage() {
  const { t } = useTranslation();
  const client = useClient();
  const { session } = useAdmin();
  const { isAdministrator } = useRole();
  const mayAdd = useOrganization(mayAddEmoji);
  const emoji = useOrganization(({ realm_emoji }) => realm_emoji);
  const users = useOrganization(({ realm_users }) => realm_users);
  const [search, setSearch] = usePageSearch();
  const [deactivating, setDeactivating] = useState<string>();
  const showsDeactivated = search["status"] === "deactivated";

  const names = useMemo(() => new Map(users?.map(({ user_id, full_name }) => [user_id, full_name])), [users]);
  const shown = useMemo(() => {
    const matches = wordMatcher(search.q ?? "");
    return Object.values(emoji ?? {})
      .filter(({ name, deactivated }) => deactivated === showsDeactivated && matches(name))
      .sort((a, b) => a.name.localeCompare(b.name));
  }, [emoji, search.q, showsDeactivated]);

  const isNarrowed = (search.q ?? "").trim() !== "" || showsDeactivated;
  const add = mayAdd && (
    <Button leftSection={<Plus size="1rem" />} onClick={() => setSearch({ do: "add" })}>
      {t("emoji.add")}
    </Button>
  );
  return (
    <Page title={t("nav.emoji")} description={t("emoji.lead")} actions={(shown.length > 0 || isNarrowed) && add}>
      <Group gap="xs">
        <SearchField
          aria-label={t("emoji.search")}
          placeholder={t("emoji.search")}
          value={search.q ?? ""}
          onChange={(event) => setSearch({ q: event.currentTarget.value })}
        />
        <SegmentedControl
          size="sm"
          aria-label={t("emoji.status")}
          value={showsDeactivated ? "deactivated" : "active"}
          onChange={(status) => setSearch({ status: status === "active" ? undefined : status })}
          data={[
            { value: "active", label: t("emoji.active") },
            { value: "deactivated", label: t("emoji.deactivated") },
          ]}
        />
      </Group>
      {shown.length === 0 ? (
        <NoEmoji query={search.q ?? ""} areDeactivated={showsDeactivated} add={add} />
      ) : (
        <ul className={classes.grid} aria-label={t("nav.emoji")}>
          {shown.map(({ id, name, source_url, author_id }) => (
            <EmojiTile key={id} isTarget={String(id) === search.open}>
              <img src={source_url} alt="" width={40} height={40} />
              <code>:{name}:</code>
              <Text span size="xs" c="dimmed" maw="100%" truncate>
                {author_id === null ? "" : (names.get(author_id) ?? "")}
              </Text>
              {!showsDeactivated && (isAdministrator || author_id === session.user?.user_id) && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="gray"
                  aria-label={t("emoji.deactivateNamed", { name })}
                  onClick={() => setDeactivating(name)}
                >
                  {t("emoji.deactivate")}
                </Button>
              )}
            </EmojiTile>
          ))}
        </ul>
      )}
      {search.do === "add" && mayAdd && <AddEmoji onClose={() => setSearch({ do: undefined })} />}
      {deactivating !== undefined && (
        <ConfirmDialog
          title={t("emoji.confirm", { name: deactivating })}
          confirmLabel={t("emoji.deactivate")}
          onConfirm={async () => {
            await client.call("DELETE /realm/emoji/{emoji_name}", { emoji_name: deactivating });
            noticeDone(t("emoji.deactivatedNamed", { name: deactivating }));
          }}
          onClose={() => setDeactivating(undefined)}
        >
          {t("emoji.consequences")}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function NoEmoji({ query, areDeactivated, add }: { query: string; areDeactivated: boolean; add: ReactNode }) {
  const { t } = useTranslation();
  if (query.trim() !== "") return <EmptyState title={t("emoji.none")} />;
  if (areDeactivated) return <EmptyState title={t("emoji.noneDeactivated")} />;
  return (
    <EmptyState title={t("emoji.empty")} action={add}>
      {t(add ? "emoji.emptyHint" : "emoji.mayNotAdd")}
    </EmptyState>
  );
}

function EmojiTile({ isTarget, children }: { isTarget: boolean; children: ReactNode }) {
  const tile = useTarget<HTMLLIElement>(isTarget);
  return (
    <li className={classes.emoji} ref={tile} data-target={isTarget} tabIndex={isTarget ? -1 : undefined}>
      {children}
    </li>
  );
}

interface NewEmoji extends Record<string, unknown> {
  emoji_name: string;
  picture: File | undefined;
}

function AddEmoji({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const client = useClient();
  const initialValues: NewEmoji = { emoji_name: "", picture: undefined };
  return (
    <FormDialog
      title={t("emoji.add")}
      submitLabel={t("emoji.add")}
      initialValues={initialValues}
      validate={{
        emoji_name: (value) => (value.trim() === "" ? t("emoji.missingName") : null),
        picture: (value) => (value === undefined ? t("emoji.missingPicture") : null),
      }}
      onSubmit={async ({ emoji_name, picture }) => {
        await client.upload("POST /realm/emoji/{emoji_name}", { emoji_name: emoji_name.trim() }, picture as File);
        noticeDone(t("emoji.added", { name: emoji_name.trim() }));
      }}
      onClose={onClose}
    >
      {(form) => {
        const { picture, emoji_name } = form.getValues();
        return (
          <>
            <Stack align="start" gap="xs">
              {picture && <EmojiPreview picture={picture} name={emoji_name} />}
              <PictureButton onPicked={(file) => form.setFieldValue("picture", file)}>
                {t("emoji.choose")}
              </PictureButton>
              {form.errors["picture"] && <Input.Error role="alert">{form.errors["picture"]}</Input.Error>}
            </Stack>
            <TextInput
              label={t("emoji.name")}
              description={t("emoji.nameHelp")}
              placeholder={t("emoji.nameExample")}
              {...form.getInputProps("emoji_name")}
            />
          </>
        );
      }}
    </FormDialog>
  );
}

/** The emoji at its size in messages. */
function EmojiPreview({ picture, name }: { picture: File; name: string }) {
  const { t } = useTranslation();
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    // The page's content security policy allows data: URLs.
    const reader = new FileReader();
    reader.onload = () => setUrl(String(reader.result));
    reader.readAsDataURL(picture);
    return () => reader.abort();
  }, [picture]);
  return (
    <Group className={classes.preview} gap="xs">
      {t("emoji.preview")} <img src={url} alt={`:${name}:`} width={22} height={22} />
      <img src={url} alt="" width={44} height={44} />
    </Group>
  );
}
