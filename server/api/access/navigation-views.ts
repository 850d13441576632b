import { badRequest, notFound, refusedParameter } from "../../errors.ts";
import type { Reader } from "../../storage/transaction.ts";
import { isBuiltIn, type NavigationView, navigationViewsOf } from "../queries/navigation-views.ts";
import type { User } from "../queries/users.ts";

/** Unicode code points. */
const LIMITS = { fragment: 1000, name: 60 };
const MAX_VIEWS = 200;

export function navigationViewToChange(reader: Reader, owner: User, fragment: string): NavigationView {
  const view = navigationViewsOf(reader, owner).find((one) => one.fragment === fragment);
  if (!view) throw notFound("There is no such navigation view.");
  return view;
}

export function newNavigationView(
  reader: Reader,
  owner: User,
  input: { fragment: string; is_pinned: boolean; name: string | null },
): NavigationView {
  const fragment = input.fragment.trim();
  if (fragment === "") throw refusedParameter("fragment", "fragment must not be empty.");
  if ([...fragment].length > LIMITS.fragment)
    throw refusedParameter("fragment", `fragment is too long: at most ${LIMITS.fragment} characters.`);
  const views = navigationViewsOf(reader, owner);
  if (views.some((view) => view.fragment === fragment)) throw badRequest("You keep a view with this fragment already.");
  if (views.length >= MAX_VIEWS) throw badRequest(`You can keep at most ${MAX_VIEWS} navigation views.`);
  if (isBuiltIn(fragment)) {
    if (input.name !== null) throw refusedParameter("name", "name: a built-in view keeps its own.");
    return { fragment, is_pinned: input.is_pinned, name: null };
  }
  if (input.name === null) throw refusedParameter("name", "name: a view of your own needs one.");
  return { fragment, is_pinned: input.is_pinned, name: freeName(views, input.name) };
}

export function newNameOf(reader: Reader, owner: User, view: NavigationView, name: string): string {
  if (isBuiltIn(view.fragment)) throw refusedParameter("name", "name: a built-in view keeps its own.");
  const others = navigationViewsOf(reader, owner).filter(({ fragment }) => fragment !== view.fragment);
  return freeName(others, name);
}

function freeName(others: readonly NavigationView[], input: string): string {
  const name = input.trim();
  if (name === "") throw refusedParameter("name", "name must not be empty.");
  if ([...name].length > LIMITS.name)
    throw refusedParameter("name", `name is too long: at most ${LIMITS.name} characters.`);
  if (others.some((view) => view.name === name)) throw badRequest("You have a navigation view of this name already.");
  return name;
}
