import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import classes from "./AuthLayout.module.css";
import { ColorSchemeSwitch } from "./ColorSchemeSwitch.tsx";
import { Mark } from "./Mark.tsx";

export interface AuthLayoutProps {
  title: string;
  lead?: string | undefined;
  /** Above the title: whose page it is. */
  picture?: string | undefined;
  /** Whom the other side is written for: those who look after Hearth, or those who come in by a link. */
  readers?: "hosts" | "guests";
  /** Whether the title takes the focus: for what has taken the place of a form. */
  takesFocus?: boolean;
  children?: ReactNode;
}

/** The frame of every page before Overview: what Hearth is on one side, what to do on the other. */
export function AuthLayout({ title, lead, picture, readers = "hosts", takesFocus, children }: AuthLayoutProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  useEffect(() => {
    document.title = `${title} – ${t("app.title")}`;
  }, [title, t]);
  return (
    <div className={classes.entrance}>
      <aside className={classes.side}>
        <div className={classes.brand}>
          <Mark width="1.875rem" />
          <span>{t("app.title")}</span>
        </div>
        <div className={classes.pitch}>
          <p className={classes.motto}>{t(`entrance.${readers}.motto`)}</p>
          <ul className={classes.points}>
            <li>{t(`entrance.${readers}.point1`)}</li>
            <li>{t(`entrance.${readers}.point2`)}</li>
            <li>{t(`entrance.${readers}.point3`)}</li>
          </ul>
        </div>
        <ColorSchemeSwitch />
      </aside>
      <main className={classes.main}>
        <div className={classes.content}>
          {picture && <img className={classes.picture} src={picture} alt="" width={64} height={64} />}
          <h1 className={classes.title} ref={heading} tabIndex={takesFocus ? -1 : undefined}>
            {title}
          </h1>
          {lead && <p className={classes.lead}>{lead}</p>}
          {children}
        </div>
      </main>
    </div>
  );
}
