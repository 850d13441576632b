import { badRequest, notFound, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isBuiltIn, type NavigationView, navigationViewsOf } from "../queries/navigation-views.ts";
import type { User } from "../queries/users.ts";

/** Unicode code points. */
const LIMITS = { fragment: 1000, name: 100 };
const MAX_VIEWS = 200;

export function navigationViewToChange(reader: Reader, owner: User, fragment: string): NavigationView {
  const view = navigationViewsOf(reader, owner).find((one) => one.fragment === fragment);
  if (!view) throw notFound("navigation_view_not_found");
  return view;
}

export function newNavigationView(
  reader: Reader,
  owner: User,
  input: { fragment: string; is_pinned: boolean; name: string | null },
): NavigationView {
  const fragment = input.fragment.trim();
  if (fragment === "") throw refusedParameter("fragment", "fragment_empty");
  if ([...fragment].length > LIMITS.fragment)
    throw refusedParameter("fragment", "fragment_too_long", { count: LIMITS.fragment });
  const views = navigationViewsOf(reader, owner);
  if (views.some((view) => view.fragment === fragment)) throw badRequest("navigation_view_exists");
  if (views.length >= MAX_VIEWS) throw badRequest("too_many_navigation_views", { count: MAX_VIEWS });
  if (isBuiltIn(fragment)) {
    if (input.name !== null) throw refusedParameter("name", "built_in_view_name_fixed");
    return { fragment, is_pinned: input.is_pinned, name: null };
  }
  if (input.name === null) throw refusedParameter("name", "navigation_view_name_required");
  return { fragment, is_pinned: input.is_pinned, name: freeName(views, input.name) };
}

export function newNameOf(reader: Reader, owner: User, view: NavigationView, name: string): string {
  if (isBuiltIn(view.fragment)) throw refusedParameter("name", "built_in_view_name_fixed");
  const others = navigationViewsOf(reader, owner).filter(({ fragment }) => fragment !== view.fragment);
  return freeName(others, name);
}

function freeName(others: readonly NavigationView[], input: string): string {
  const name = input.trim();
  if (name === "") throw refusedParameter("name", "name_required");
  if ([...name].length > LIMITS.name) throw refusedParameter("name", "name_too_long", { count: LIMITS.name });
  if (others.some((view) => view.name === name)) throw badRequest("navigation_view_name_taken");
  return name;
}
