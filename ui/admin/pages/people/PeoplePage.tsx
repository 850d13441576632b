import { Button } from "@mantine/core";
import { Download, UserPlus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../../../api/store.ts";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import { noticeDone } from "../../../parts/settings/notices.tsx";
import { ROLES, roleName } from "../../../parts/settings/roles.ts";
import { useAdmin, useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import { Page } from "../../parts/Page.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import { InvitationDialog } from "../invitations/InvitationDialog.tsx";
import type { SharedLink } from "../invitations/InvitationLink.tsx";
import { AddPerson } from "./AddPerson.tsx";
import { downloadPeople } from "./download-people.ts";
import { InviteImported } from "./InviteImported.tsx";
import classes from "./PeoplePage.module.css";
import { PeopleTask } from "./PeopleTask.tsx";
import { PersonDrawer } from "./PersonDrawer.tsx";
import { PersonName } from "./PersonName.tsx";
import { TASKS, type Task } from "./people-for-task.ts";
import { signInColumn, signInFacet } from "./sign-ins.tsx";
import { isImported, mayChange, type Person, statusOf, usePeople, useRights } from "./use-people.ts";

const rowKey = ({ id }: Person) => String(id);
const rowName = ({ name }: Person) => name;
const searchText = ({ name, email }: Person) => `${name} ${email}`;

export function PeoplePage() {
  const { t } = useTranslation();
  const rights = useRights();
  const people = usePeople(rights);
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const { server } = useAdmin();
  const clockAhead = useStore(server.followed, (followed) => followed.clockAhead);
  const [search, setSearch] = usePageSearch();
  const [task, setTask] = useState<{ task: Task; people: readonly Person[]; deselect(): void }>();
  const hasImported = people.some(isImported);
  const [invited, setInvited] = useState<{ people: readonly Person[]; deselect(): void }>();
  const [created, setCreated] = useState<{ links: readonly SharedLink[]; isMailed: boolean }>();
  const open = people.find(({ id }) => String(id) === search.open);

  const columns = useMemo(
    (): DataColumn<Person>[] => [
      {
        id: "name",
        header: t("people.name"),
        width: "minmax(8.5rem, 2fr)",
        sortBy: ({ name }) => name,
        cell: (person) => <PersonName person={person} />,
      },
      {
        id: "email",
        header: t("people.email"),
        width: "minmax(10rem, 2.6fr)",
        from: "medium",
        sortBy: ({ email }) => email,
        cell: ({ email }) =>
          email ? (
            <bdi className={classes.email} title={email}>
              <BreakableEmail email={email} />
            </bdi>
          ) : (
            <span className={classes.soft}>{t("people.hidden")}</span>
          ),
      },
      {
        id: "role",
        header: t("people.role"),
        width: "minmax(6.25rem, 7.5rem)",
        sortBy: ({ user }) => user.role,
        cell: ({ user }) => roleName(user.role, t),
      },
      {
        id: "seen",
        header: t("people.lastSeen"),
        width: "6.75rem",
        from: "medium",
        sortBy: ({ lastSeen }) => -(lastSeen ?? 0),
        cell: ({ lastSeen }) =>
          lastSeen ? (
            <RelativeTime at={lastSeen} clockAhead={clockAhead} />
          ) : (
            <span className={classes.soft}>{t("people.neverSeen")}</span>
          ),
      },
      ...(rights.isAdministrator ? [signInColumn(t, clockAhead)] : []),
      {
        id: "groups",
        header: t("people.groups"),
        width: "minmax(6rem, 0.5fr)",
        from: "large",
        sortBy: (person) => person.groups.length,
        cell: (person) => <bdi className={classes.groups}>{person.groups.map(({ name }) => name).join(", ")}</bdi>,
      },
      {
        id: "joined",
        header: t("people.joined"),
        width: "6.75rem",
        from: "large",
        sortBy: ({ user }) => -Date.parse(user.date_joined),
        cell: ({ user }) => <RelativeTime at={Date.parse(user.date_joined)} clockAhead={clockAhead} />,
      },
    ],
    [t, clockAhead, rights],
  );

  const facets = useMemo(
    (): Facet<Person>[] => [
      {
        id: "role",
        label: t("people.role"),
        choices: ROLES.map((role) => ({ value: String(role), label: roleName(role, t) })),
        valuesOf: ({ user }) => [String(user.role)],
      },
      {
        id: "status",
        label: t("people.status"),
        choices: [
          { value: "active", label: t("people.active") },
          { value: "deactivated", label: t("people.deactivated") },
          ...(hasImported ? [{ value: "imported", label: t("importedPeople.badge") }] : []),
        ],
        valuesOf: (person) => [statusOf(person)],
      },
      ...(rights.isAdministrator ? [signInFacet(t)] : []),
      {
        id: "group",
        label: t("people.group"),
        choices: (groups ?? [])
          .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
          .map(({ id, name }) => ({ value: String(id), label: name })),
        valuesOf: (person) => person.groups.map(({ id }) => String(id)),
      },
    ],
    [t, groups, rights, hasImported],
  );

  return (
    <Page
      title={t("nav.people")}
      description={t("people.description")}
      actions={
        rights.isAdministrator && (
          <Button
            leftSection={<UserPlus size="1.125rem" aria-hidden="true" />}
            onClick={() => setSearch({ do: "add" })}
          >
            {t("people.add")}
          </Button>
        )
      }
    >
      <DataTable
        label={t("nav.people")}
        rows={people}
        columns={columns}
        rowKey={rowKey}
        rowName={rowName}
        searchText={searchText}
        facets={facets}
        defaultSort="name"
        empty={<EmptyState title={t("people.empty")} />}
        tools={(found) => (
          <Button
            size="sm"
            variant="default"
            fw={400}
            leftSection={<Download size="1rem" aria-hidden="true" />}
            onClick={() => downloadPeople(found, rights, t)}
          >
            {t("people.download")}
          </Button>
        )}
        {...(rights.isAdministrator && {
          selectionActions: (chosen: readonly Person[], deselect: () => void) => (
            <>
              {chosen.some(isImported) && (
                <Button size="compact-sm" onClick={() => setInvited({ people: chosen, deselect })}>
                  {t("importedPeople.inviteSeveral")}
                </Button>
              )}
              {TASKS.map((name) => (
                <Button
                  key={name}
                  size="compact-sm"
                  variant="default"
                  onClick={() => setTask({ task: name, people: chosen, deselect })}
                >
                  {t(`people.tasks.${name}`)}
                </Button>
              ))}
            </>
          ),
        })}
      />
      {search.open !== undefined && <PersonDrawer person={open} />}
      {task && (
        <PeopleTask
          task={task.task}
          people={task.people}
          onClose={(isDone) => {
            setTask(undefined);
            if (isDone) task.deselect();
          }}
        />
      )}
      {invited && (
        <InviteImported
          people={invited.people.filter((person) => isImported(person) && mayChange(rights, person))}
          skipped={invited.people.filter((person) => !isImported(person) || !mayChange(rights, person)).length}
          onClose={() => setInvited(undefined)}
          onCreated={(links, isMailed) => {
            invited.deselect();
            setCreated({ links, isMailed });
          }}
        />
      )}
      {created && <InvitationDialog {...created} onClose={() => setCreated(undefined)} />}
      {search.do === "add" && rights.isAdministrator && (
        <AddPerson
          onClose={() => setSearch({ do: undefined })}
          onAdded={(name) => {
            setSearch({ do: undefined });
            noticeDone(t("addPerson.added", { name }));
          }}
        />
      )}
    </Page>
  );
}

/** An email address that wraps before its domain. */
function BreakableEmail({ email }: { email: string }) {
  const at = email.lastIndexOf("@");
  if (at < 0) return email;
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}
