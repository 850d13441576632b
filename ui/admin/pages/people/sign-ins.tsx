import type { TFunction } from "i18next";
import { RelativeTime } from "../../../parts/RelativeTime.tsx";
import type { Facet } from "../../parts/FacetMenu.tsx";
import type { DataColumn } from "../../parts/TableRows.tsx";
import classes from "./PeoplePage.module.css";
import type { Person } from "./use-people.ts";

/** Number of browsers that a person is signed in with, and the time of the newest sign-in. For administrators. */
export const signInColumn = (t: TFunction, clockAhead: number): DataColumn<Person> => ({
  id: "signIns",
  header: t("people.signIns"),
  width: "7rem",
  from: "large",
  sortBy: ({ signIns }) => -(signIns?.newestAt ?? 0),
  cell: ({ signIns }) =>
    signIns?.newestAt === undefined ? (
      <span className={classes.soft}>{signIns ? t("people.inNoBrowser") : ""}</span>
    ) : (
      <span className={classes.signIns}>
        {t("people.browsers", { count: signIns.browsers })}
        <span className={classes.soft}>
          <RelativeTime at={signIns.newestAt} clockAhead={clockAhead} />
        </span>
      </span>
    ),
});

/** Does not match people whose sign-ins the user cannot see. */
export const signInFacet = (t: TFunction): Facet<Person> => ({
  id: "signIns",
  label: t("people.signIns"),
  choices: [
    { value: "none", label: t("people.inNoBrowser") },
    { value: "one", label: t("people.inOneBrowser") },
    { value: "several", label: t("people.inSeveralBrowsers") },
  ],
  valuesOf: ({ signIns }) => {
    if (!signIns) return [];
    if (signIns.browsers === 0) return ["none"];
    return [signIns.browsers === 1 ? "one" : "several"];
  },
});
