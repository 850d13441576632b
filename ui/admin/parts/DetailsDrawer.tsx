import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePageSearch } from "../page-search.ts";
import classes from "./DetailsDrawer.module.css";

export interface DetailsDrawerProps {
  title: ReactNode;
  /** What stands before the title: a picture, an icon. */
  picture?: ReactNode;
  subtitle?: ReactNode;
  children: ReactNode;
}

/** The details of the row that the address names with `open`. Closing it takes the name, and its tab, out of the address. */
export function DetailsDrawer({ title, picture, subtitle, children }: DetailsDrawerProps) {
  const { t } = useTranslation();
  const [search, setSearch] = usePageSearch();
  return (
    <Drawer.Root
      opened={search.open !== undefined}
      onClose={() => {
        if (!hasDialogAbove()) setSearch({ open: undefined, tab: undefined });
      }}
      position="right"
      size="34rem"
      // On the content itself, Mantine would also give the class to what lays it out, over the whole page.
      classNames={{ content: classes.content ?? "" }}
    >
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content>
        <Drawer.Body className={classes.body}>
          <div className={classes.header}>
            {picture}
            <div className={classes.names}>
              <Drawer.Title className={classes.title}>{title}</Drawer.Title>
              {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
            </div>
            <Drawer.CloseButton aria-label={t("details.close")} />
          </div>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** Mantine closes on Escape all that is open, but one asked for the dialog above only, and is not done with the drawer. */
const hasDialogAbove = () => document.querySelectorAll("[role=dialog][aria-modal=true]").length > 1;
