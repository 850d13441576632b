import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { NavigationPage } from "../navigation.ts";
import type { PageSearch } from "../page-search.ts";
import classes from "./PageLink.module.css";

export interface PageLinkProps {
  to: NavigationPage["path"];
  search?: PageSearch;
  children: ReactNode;
}

/** A link to a page of the window, in a text. */
export function PageLink({ to, search = {}, children }: PageLinkProps) {
  return (
    <Link to={to} search={search} className={classes.link}>
      {children}
    </Link>
  );
}

/** The same as a button. */
export function PageButton({ to, search = {}, children }: PageLinkProps) {
  return (
    <Button variant="default" renderRoot={(props) => <Link to={to} search={search} {...props} />}>
      {children}
    </Button>
  );
}
