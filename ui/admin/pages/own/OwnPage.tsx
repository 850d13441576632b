import { Button } from "@mantine/core";
import { Check, X } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { isSelfIn } from "../../../api/settings-state.ts";
import { locale, textAt } from "../../../locales/i18n.ts";
import { mayInvite } from "../../../parts/allowed-invitations.ts";
import { OwnSessions } from "../../../parts/OwnSessions.tsx";
import { ADMINISTRATOR, roleName } from "../../../parts/settings/roles.ts";
import { settingsIn, useSettingTables } from "../../../parts/settings/setting-tables.ts";
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
import classes from "./OwnPage.module.css";

/** What a moderator or member looks after: their bots and invitations, what they may do, and whom to ask for more. */
export function OwnPage() {
  const { t } = useTranslation();
  const { role } = useRole();
  const maySend = useOrganization(mayInvite);
  return (
    <Page title={t("own.title")} description={t("own.description")} width="narrow">
      <OwnBots />
      <PageSection title={t("own.invite")}>
        {maySend ? <InvitePeople clockAhead={0} /> : <p className={classes.text}>{t("own.noInvite")}</p>}
      </PageSection>
      <PageSection title={t("own.sessions")} description={t("own.sessionsHint")}>
        <OwnSessions label={t("own.sessions")} />
      </PageSection>
      <PageSection title={t("own.settings")} description={t("own.settingsHint")}>
        <div className={classes.buttons}>
          {(["profile", "notifications", "access"] as const).map((section) => (
            <Button key={section} component="a" variant="default" href={`/#settings/${section}`}>
              {t(`own.${section}`)}
            </Button>
          ))}
        </div>
      </PageSection>
      <OwnPermissions role={role} />
    </Page>
  );
}

/** So many are named; the page of bots has all. */
const BOTS_SHOWN = 8;

function OwnBots() {
  const { t } = useTranslation();
  const bots = useBots().filter(({ bot }) => bot.is_active);
  const mayCreate = useOrganization((state) => allowedKinds(state).length > 0);
  return (
    <PageSection title={t("own.bots")}>
      {bots.length === 0 && <p className={classes.text}>{t("own.botsEmpty")}</p>}
      {bots.length > 0 && (
        <ul className={classes.bots} aria-label={t("own.bots")}>
          {bots.slice(0, BOTS_SHOWN).map((row) => (
            <li key={row.bot.user_id}>
              <PageLink to="/bots" search={{ open: String(row.bot.user_id) }}>
                {row.bot.full_name}
              </PageLink>
              <BotHealthText row={row} />
            </li>
          ))}
        </ul>
      )}
      <p className={classes.text}>{t(mayCreate ? "own.botsHint" : "own.noBots")}</p>
      <div className={classes.buttons}>
        {mayCreate && (
          <PageButton to="/bots" search={{ create: "bot" }}>
            {t("bots.create")}
          </PageButton>
        )}
        {bots.length > 0 && <PageButton to="/bots">{t("own.allBots")}</PageButton>}
        {bots.length > 0 && <PageButton to="/webhooks">{t("own.log")}</PageButton>}
      </div>
    </PageSection>
  );
}

/** So many of those who decide are named. */
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
    // The others are not about what one person may do.
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
    <ul className={classes.permissions} data-granted={isGranted}>
      {names.map((name) => (
        <li key={name}>
          <Icon size="0.9375rem" aria-hidden="true" />
          {ownText(name)}
        </li>
      ))}
    </ul>
  );
}
