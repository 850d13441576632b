import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../../api/store.ts";
import { allowedInvitations, mayInvite } from "../../../parts/allowed-invitations.ts";
import { Callout } from "../../../parts/Callout.tsx";
import { errorMessage } from "../../../parts/error-messages.ts";
import { exactTime, relativeAhead } from "../../../parts/format.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { ROLES, roleKey, roleName } from "../../../parts/settings/roles.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { Page } from "../../parts/Page.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { useRole } from "../../use-role.ts";
import { InvitationDialog } from "./InvitationDialog.tsx";
import type { SharedLink } from "./InvitationLink.tsx";
import { NewInvitation } from "./NewInvitation.tsx";
import { RevokeInvitation } from "./RevokeInvitation.tsx";
import { type Invitation, invitationName, sharedLink, useInvitationLink, useInvitations } from "./use-invitations.ts";

const PICTURE = { width: 24, height: 24, style: { borderRadius: "var(--mantine-radius-sm)" } };

const rowKey = ({ id, is_multiuse }: Invitation) => `${is_multiuse ? "link" : "email"}-${id}`;

export function InvitationsPage() {
  const { t } = useTranslation();
  const linkOf = useInvitationLink();
  const now = useNow();
  const { server } = useAdmin();
  const clockAhead = useStore(server.followed, (followed) => followed.clockAhead);
  const maySend = useOrganization(mayInvite);
  const mayLink = useOrganization((state) => allowedInvitations(state).includes("link"));
  const { isAdministrator } = useRole();
  const [search, setSearch] = usePageSearch();
  const [created, setCreated] = useState<{ links: readonly SharedLink[]; refused?: string; isMailed?: boolean }>();
  const [revoked, setRevoked] = useState<Invitation>();
  const { invitations, error } = useInvitations();

  const rows = useMemo(
    () =>
      (invitations ?? []).filter(({ expiry_date }) => expiry_date === null || expiry_date * 1000 - clockAhead > now),
    [invitations, clockAhead, now],
  );

  const nameOf = useCallback((invitation: Invitation) => invitationName(invitation, t), [t]);

  const { mutate: show } = useMutation({
    mutationFn: (invitation: Invitation) => linkOf(invitation),
    onSuccess: (link, invitation) => {
      if (link !== undefined) setCreated({ links: [sharedLink(invitation, link, t)] });
    },
    onError: (error) => noticeError(error),
  });

  const columns = useMemo(
    (): DataColumn<Invitation>[] => [
      {
        id: "name",
        header: t("invite.for"),
        width: "minmax(8rem, 1.4fr)",
        sortBy: nameOf,
        cell: (invitation) => (
          <>
            <Text component="bdi" inherit display="block" fw={560}>
              {nameOf(invitation)}
            </Text>
            {invitation.email !== undefined && (
              <Hint size="xs">
                {t(`invitations.as.${roleKey(invitation.invited_as)}`)}
                {invitation.claims && ` · ${t("invitations.claim")}`}
              </Hint>
            )}
          </>
        ),
      },
      {
        id: "joined",
        header: t("invite.cameBy"),
        width: "minmax(8rem, 1.4fr)",
        from: "medium",
        sortBy: ({ joined = 0 }) => -joined,
        cell: ({ is_multiuse, joined = 0, newest = [] }) =>
          is_multiuse && (
            <Group component="span" gap="xxs">
              {newest.map(({ user_id, full_name, avatar_url }) => (
                <img key={user_id} src={avatar_url} alt={full_name} title={full_name} {...PICTURE} />
              ))}
              <Hint span size="xs">
                {joined === 0 ? t("invitations.nobody") : t("invite.came", { count: joined })}
              </Hint>
            </Group>
          ),
      },
      {
        id: "made",
        header: t("invite.made"),
        width: "minmax(8rem, 1fr)",
        from: "large",
        sortBy: ({ invited }) => -invited,
        cell: ({ invited, invited_by }) => (
          <>
            <RelativeTime at={invited * 1000} clockAhead={clockAhead} />
            {invited_by && <Hint size="xs">{t("invitations.by", { name: invited_by })}</Hint>}
          </>
        ),
      },
      {
        id: "ends",
        header: t("invite.ends"),
        width: "7rem",
        from: "medium",
        sortBy: ({ expiry_date }) => expiry_date ?? Number.MAX_SAFE_INTEGER,
        cell: ({ expiry_date }) => {
          if (expiry_date === null) return t("invite.never");
          const end = expiry_date * 1000 - clockAhead; // In the time of this machine's clock.
          return <span title={exactTime(end)}>{relativeAhead(end, now)}</span>;
        },
      },
      {
        id: "actions",
        header: t("invite.actions"),
        width: "9.5rem",
        cell: (invitation) => {
          const name = nameOf(invitation);
          return (
            <Group component="span" gap="xxs">
              {(invitation.link_url !== undefined || !invitation.is_multiuse) && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t("invitations.showNamed", { name })}
                  onClick={() => show(invitation)}
                >
                  {t("invitations.show")}
                </Button>
              )}
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={t("invitations.revokeNamed", { name })}
                onClick={() => setRevoked(invitation)}
              >
                {t("invitations.revoke")}
              </Button>
            </Group>
          );
        },
      },
    ],
    [t, nameOf, show, clockAhead, now],
  );

  const facets = useMemo(
    (): Facet<Invitation>[] => [
      {
        id: "kind",
        label: t("invite.kind"),
        choices: [
          { value: "link", label: t("invite.link") },
          { value: "email", label: t("invite.email") },
          { value: "claim", label: t("invite.claim") },
        ],
        valuesOf: ({ is_multiuse, claims }) => [is_multiuse ? "link" : claims ? "claim" : "email"],
      },
      {
        id: "role",
        label: t("people.role"),
        choices: ROLES.map((role) => ({ value: String(role), label: roleName(role, t) })),
        valuesOf: ({ invited_as }) => [String(invited_as)],
      },
    ],
    [t],
  );

  const begin = maySend && (
    <Button leftSection={<UserPlus size="1.125rem" aria-hidden="true" />} onClick={() => setSearch({ do: "invite" })}>
      {t("invitations.action")}
    </Button>
  );
  return (
    <Page title={t("nav.invitations")} description={t("invite.description")} actions={rows.length > 0 && begin}>
      {Boolean(error) && (
        <Callout tone="error" role="alert">
          {errorMessage(error)}
        </Callout>
      )}
      {!invitations && !error ? (
        <PageSkeleton />
      ) : (
        <DataTable
          label={t("nav.invitations")}
          rows={rows}
          columns={columns}
          rowKey={rowKey}
          rowName={nameOf}
          searchText={({ email = "", invited_by = "", claims }) => `${claims?.full_name ?? ""} ${email} ${invited_by}`}
          facets={facets}
          defaultSort="made"
          onOpen={show}
          empty={
            <EmptyState title={t(isAdministrator ? "invite.empty" : "invite.emptyOwn")} action={begin}>
              {t(mayLink ? "invite.emptyHint" : maySend ? "invitations.emptyByEmail" : "invite.mayNot")}
            </EmptyState>
          }
        />
      )}
      {search.do === "invite" && maySend && (
        <NewInvitation
          onClose={() => setSearch({ do: undefined })}
          onCreated={(links, result) => setCreated({ links, ...result })}
        />
      )}
      {created && <InvitationDialog {...created} onClose={() => setCreated(undefined)} />}
      {revoked && (
        <RevokeInvitation
          invitation={revoked}
          onClose={() => setRevoked(undefined)}
          onRevoked={() => {
            noticeDone(t("invite.revoked", { name: nameOf(revoked) }));
            setRevoked(undefined);
          }}
        />
      )}
    </Page>
  );
}
