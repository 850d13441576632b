import { Anchor, Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { NavigationPage } from "../navigation.ts";
import type { PageSearch } from "../page-search.ts";

export interface PageLinkProps {
  to: NavigationPage["path"];
  search?: PageSearch;
  children: ReactNode;
}

/** A link in a text; underlined, since colour alone does not mark a link. */
export function PageLink({ to, search = {}, children }: PageLinkProps) {
  return (
    <Anchor inherit underline="always" renderRoot={(props) => <Link to={to} search={search} {...props} />}>
      {children}
    </Anchor>
  );
}

export function PageButton({ to, search = {}, children }: PageLinkProps) {
  return (
    <Button variant="default" renderRoot={(props) => <Link to={to} search={search} {...props} />}>
      {children}
    </Button>
  );
}
