import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import classes from "./AuthLayout.module.css";
import { ColorSchemeSwitch } from "./ColorSchemeSwitch.tsx";
import { Logo } from "./Logo.tsx";

export interface AuthLayoutProps {
  title: string;
  lead?: string | undefined;
  /** The organization's picture, above the title. */
  picture?: string | undefined;
  /** The readers of the side panel: operators of Hearth, or people who open a link. */
  audience?: "operators" | "members";
  /** Whether the title takes the focus, for a page that replaces a form. */
  takesFocus?: boolean;
  children?: ReactNode;
}

/** The frame of all pages before sign-in: a side panel about Hearth, and the content. */
export function AuthLayout({ title, lead, picture, audience = "operators", takesFocus, children }: AuthLayoutProps) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  useEffect(() => {
    document.title = `${title} – ${t("app.title")}`;
  }, [title, t]);
  return (
    <div className={classes.layout}>
      <aside className={classes.side}>
        <div className={classes.brand}>
          <Logo width="1.875rem" />
          <span>{t("app.title")}</span>
        </div>
        <div className={classes.pitch}>
          <p className={classes.motto}>{t(`authLayout.${audience}.motto`)}</p>
          <ul className={classes.points}>
            <li>{t(`authLayout.${audience}.point1`)}</li>
            <li>{t(`authLayout.${audience}.point2`)}</li>
            <li>{t(`authLayout.${audience}.point3`)}</li>
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
