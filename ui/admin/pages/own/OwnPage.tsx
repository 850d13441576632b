import { Button, Group } from "@mantine/core";
import { Check, X } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { isSelfIn } from "../../../api/settings-state.ts";
import { locale, textAt } from "../../../locales/i18n.ts";
import { mayInvite } from "../../../parts/allowed-invitations.ts";
import { OwnSessions } from "../../../parts/OwnSessions.tsx";
import { ADMINISTRATOR, roleName } from "../../../parts/settings/roles.ts";
import { settingsIn, useSettingTables } from "../../../parts/settings/setting-tables.ts";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { useOrganization } from "../../admin-context.ts";
import { Page } from "../../parts/Page.tsx";
import { PageButton, PageLink } from "../../parts/PageLink.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { permissionIn } from "../../settings/setting.ts";
import { useRole } from "../../use-role.ts";
import { allowedKinds } from "../bots/allowed-kinds.ts";
import { BotHealthText } from "../bots/BotHealthText.tsx";
import { useBots } from "../bots/bots.ts";
import { InvitePeople } from "../invitations/InvitePeople.tsx";

/** The page of moderators and members: their bots, invitations and permissions. */
export function OwnPage() {
  const { t } = useTranslation();
  const { role } = useRole();
  const maySend = useOrganization(mayInvite);
  return (
    <Page title={t("own.title")} description={t("own.description")} width="narrow">
      <OwnBots />
      <PageSection title={t("own.invite")}>
        {maySend ? <InvitePeople clockAhead={0} /> : <Hint isLead>{t("own.noInvite")}</Hint>}
      </PageSection>
      <PageSection title={t("own.sessions")} description={t("own.sessionsHint")}>
        <OwnSessions label={t("own.sessions")} />
      </PageSection>
      <PageSection title={t("own.settings")} description={t("own.settingsHint")}>
        <Group gap="xs">
          {(["profile", "notifications", "access"] as const).map((section) => (
            <Button key={section} component="a" variant="default" href={`/#settings/${section}`}>
              {t(`own.${section}`)}
            </Button>
          ))}
        </Group>
      </PageSection>
      <OwnPermissions role={role} />
    </Page>
  );
}

const BOTS_SHOWN = 8;

function OwnBots() {
  const { t } = useTranslation();
  const bots = useBots().filter(({ bot }) => bot.is_active);
  const mayCreate = useOrganization((state) => allowedKinds(state).length > 0);
  return (
    <PageSection title={t("own.bots")}>
      {bots.length === 0 && <Hint isLead>{t("own.botsEmpty")}</Hint>}
      {bots.length > 0 && (
        <PlainList divided aria-label={t("own.bots")}>
          {bots.slice(0, BOTS_SHOWN).map((row) => (
            <Group component="li" key={row.bot.user_id} justify="space-between" gap="xxs" fz="sm">
              <PageLink to="/bots" search={{ open: String(row.bot.user_id) }}>
                {row.bot.full_name}
              </PageLink>
              <BotHealthText row={row} />
            </Group>
          ))}
        </PlainList>
      )}
      <Hint isLead>{t(mayCreate ? "own.botsHint" : "own.noBots")}</Hint>
      <Group gap="xs">
        {mayCreate && (
          <PageButton to="/bots" search={{ create: "bot" }}>
            {t("bots.create")}
          </PageButton>
        )}
        {bots.length > 0 && <PageButton to="/bots">{t("own.allBots")}</PageButton>}
        {bots.length > 0 && <PageButton to="/webhooks">{t("own.log")}</PageButton>}
      </Group>
    </PageSection>
  );
}

const DECIDERS_SHOWN = 5;

function OwnPermissions({ role }: { role: number }) {
  const { t } = useTranslation();
  const state = useOrganization((all) => all);
  const table = useSettingTables()?.permissions;
  const { may, mayNot } = useMemo(() => {
    const has = (name: string) => {
      const setting = permissionIn(state, name);
      return setting !== undefined && isSelfIn(state, setting);
    };
    // Other permissions are not about a single person.
    const names = settingsIn(table)
      .map(({ name }) => name)
      .filter((name) => ownText(name) !== undefined);
    return { may: names.filter(has), mayNot: names.filter((name) => !has(name)) };
  }, [state, table]);
  const deciders = useMemo(() => {
    const found = (state.realm_users ?? []).filter((user) => !user.is_bot && user.role <= ADMINISTRATOR);
    return found.map(({ full_name }) => full_name).sort((a, b) => a.localeCompare(b));
  }, [state.realm_users]);
  const names = new Intl.ListFormat(locale(), { type: "conjunction" }).format(deciders.slice(0, DECIDERS_SHOWN));
  if (!table) return null;
  return (
    <>
      <PageSection title={t("own.may")} description={t("own.role", { role: roleName(role, t) })}>
        <PermissionList names={may} isGranted />
      </PageSection>
      {mayNot.length > 0 && (
        <PageSection
          title={t("own.mayNot")}
          description={t(deciders.length > DECIDERS_SHOWN ? "own.askSome" : "own.ask", { names })}
        >
          <PermissionList names={mayNot} isGranted={false} />
        </PageSection>
      )}
    </>
  );
}

const ownText = (name: string) => textAt(`organizationPermissions.who.${name}.own`);

function PermissionList({ names, isGranted }: { names: readonly string[]; isGranted: boolean }) {
  const Icon = isGranted ? Check : X;
  return (
    <PlainList fz="sm" style={{ columns: "18rem" }}>
      {names.map((name) => (
        <Group component="li" key={name} wrap="nowrap" gap="xs" py="xxs" style={{ breakInside: "avoid" }}>
          <Icon
            size="0.9375rem"
            color={`var(--hearth-${isGranted ? "good" : "ink-soft"})`}
            style={{ flex: "none" }}
            aria-hidden="true"
          />
          {ownText(name)}
        </Group>
      ))}
    </PlainList>
  );
}
