import { useTranslation } from "react-i18next";
import { PageHeader } from "../parts/PageHeader.tsx";
import { Access } from "./Access.tsx";
import { Account } from "./Account.tsx";
import { MutedPeople } from "./MutedPeople.tsx";
import { NotificationSettings } from "./NotificationSettings.tsx";
import { Preferences } from "./Preferences.tsx";
import { Profile } from "./Profile.tsx";
import classes from "./Settings.module.css";
import { SettingsGroup } from "./SettingsGroup.tsx";
import { addressOfSettings, SECTIONS, type Section } from "./sections.ts";

/** The personal settings. */
export function SettingsPage({ section }: { section: Section }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("ownSettingsNames.title")} />
      <div className={classes.page}>
        <nav aria-label={t("ownSettingsNames.title")}>
          <ul className={classes.sections}>
            {SECTIONS.map((one) => (
              <li key={one}>
                <a href={addressOfSettings(one)} aria-current={one === section ? "page" : undefined}>
                  {t(`ownSettingsNames.sections.${one}`)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {section === "profile" && <Profile />}
        {section === "account" && (
          <>
            <Account />
            <SettingsGroup group="privacy" />
            <MutedPeople />
          </>
        )}
        {section === "preferences" && <Preferences />}
        {section === "notifications" && <NotificationSettings />}
        {section === "access" && <Access />}
      </div>
    </>
  );
}
