import type { ReactNode } from "react";
import { PageHeader } from "../parts/PageHeader.tsx";
import classes from "./SavedList.module.css";

export interface SavedListProps {
  title: string;
  empty: string;
  isEmpty: boolean;
  error?: string | undefined;
  children: ReactNode;
}

/** A page of drafts, scheduled messages or reminders. */
export function SavedList({ title, empty, isEmpty, error, children }: SavedListProps) {
  return (
    <>
      <PageHeader title={title} />
      <div className={classes.page}>
        {error && (
          <p className={classes.error} role="alert">
            {error}
          </p>
        )}
        {isEmpty ? <p className={classes.empty}>{empty}</p> : <ul className={classes.list}>{children}</ul>}
      </div>
    </>
  );
}

export interface SavedItemProps {
  place: string;
  /** The time, or why it failed. */
  about: string;
  isFailed?: boolean;
  text: string;
  actions: ReactNode;
}

export const SavedItem = ({ place, about, isFailed = false, text, actions }: SavedItemProps) => (
  <li className={classes.item}>
    <p className={classes.head}>
      <span className={classes.place}>
        <bdi>{place}</bdi>
      </span>
      <span data-failed={isFailed}>{about}</span>
    </p>
    <p className={classes.text} dir="auto">
      {text}
    </p>
    <div className={classes.actions}>{actions}</div>
  </li>
);
