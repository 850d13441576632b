import { Tabs } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { directAddress } from "../../../parts/chat-address.ts";
import { roleName } from "../../../parts/settings/roles.ts";
import { usePageSearch } from "../../page-search.ts";
import { ChatButton } from "../../parts/ChatLink.tsx";
import { DetailsDrawer } from "../../parts/DetailsDrawer.tsx";
import classes from "../../parts/details.module.css";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ImportedPerson } from "./ImportedPerson.tsx";
import { PersonChannels } from "./PersonChannels.tsx";
import { PersonGroups } from "./PersonGroups.tsx";
import { PersonHistory } from "./PersonHistory.tsx";
import { PersonProfile } from "./PersonProfile.tsx";
import { PersonSignIn } from "./PersonSignIn.tsx";
import { RefusedAddress } from "./RefusedAddress.tsx";
import { isImported, mayChange, type Person, useRights } from "./use-people.ts";

/** A person's details. `person` is undefined if the URL names no existing person. */
export function PersonDrawer({ person }: { person: Person | undefined }) {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  const rights = useRights();
  if (!person)
    return (
      <DetailsDrawer title={t("people.nobody")}>
        <EmptyState title={t("people.nobodyHint")} />
      </DetailsDrawer>
    );
  const isChangeable = mayChange(rights, person);
  const tabs = [
    { id: "profile", content: <PersonProfile person={person} isChangeable={isChangeable} /> },
    { id: "groups", content: <PersonGroups person={person} /> },
    ...(isChangeable
      ? [
          { id: "channels", content: <PersonChannels person={person} /> } as const,
          ...(isImported(person) ? [] : [{ id: "signIn", content: <PersonSignIn person={person} /> } as const]),
        ]
      : []),
    ...(rights.isOwner ? [{ id: "history", content: <PersonHistory person={person} /> } as const] : []),
  ] as const;
  const tab = tabs.some(({ id }) => id === search.tab) ? (search.tab as string) : "profile";
  const imported = isImported(person);
  const role = roleName(person.user.role, t);
  return (
    <DetailsDrawer
      title={<bdi>{person.name}</bdi>}
      picture={<Picture src={person.user.avatar_url} />}
      subtitle={person.user.is_active ? role : t(imported ? "importedPeople.role" : "people.deactivatedRole", { role })}
    >
      {person.user.is_active && <ChatButton address={directAddress(person.id)}>{t("people.message")}</ChatButton>}
      {imported && <ImportedPerson key={`imported ${person.id}`} person={person} isChangeable={isChangeable} />}
      {isChangeable && <RefusedAddress userId={person.id} name={person.name} />}
      {/* The key discards typed text when the URL changes to another person. */}
      <Tabs
        key={person.id}
        value={tab}
        onChange={(next) => setSearch({ tab: next === "profile" ? undefined : (next ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs}>
          {tabs.map(({ id }) => (
            <Tabs.Tab key={id} value={id}>
              {t(`people.tabs.${id}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ id, content }) => (
          <Tabs.Panel key={id} value={id} className={classes.panel}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </DetailsDrawer>
  );
}

const Picture = ({ src }: { src: string }) => (
  <img src={src} alt="" width={56} height={56} style={{ flex: "none", borderRadius: "var(--mantine-radius-lg)" }} />
);
