import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { ColorSchemeSwitch } from "./ColorSchemeSwitch.tsx";
import classes from "./Entrance.module.css";
import { Mark } from "./Mark.tsx";

export interface EntranceProps {
  title: string;
  lead?: string | undefined;
  children?: ReactNode;
}

/** The frame of every page before Overview: what Hearth is on one side, what to do on the other. */
export function Entrance({ title, lead, children }: EntranceProps) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} – ${t("app.title")}`;
  }, [title, t]);
  return (
    <div className={classes.entrance}>
      <aside className={classes.side}>
        <div className={classes.brand}>
          <Mark size={30} />
          <span>{t("app.title")}</span>
        </div>
        <div className={classes.pitch}>
          <p className={classes.motto}>{t("entrance.motto")}</p>
          <ul className={classes.points}>
            <li>{t("entrance.point1")}</li>
            <li>{t("entrance.point2")}</li>
            <li>{t("entrance.point3")}</li>
          </ul>
        </div>
        <ColorSchemeSwitch />
      </aside>
      <main className={classes.main}>
        <div className={classes.content}>
          <h1 className={classes.title}>{title}</h1>
          {lead && <p className={classes.lead}>{lead}</p>}
          {children}
        </div>
      </main>
    </div>
  );
}
