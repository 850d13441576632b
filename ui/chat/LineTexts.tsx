import { useMemo } from "react";
import { plainText } from "../parts/plain-text.ts";
import classes from "./LineTexts.module.css";
import type { Excerpt } from "./model/excerpts.ts";

export interface LineTextsProps {
  /** The conversation's name. */
  title: string;
  /** Its newest message, where it is known. */
  excerpt: Excerpt | undefined;
  /** Who wrote that; undefined where the title says so. */
  sender: string | undefined;
  /** How the name looks, beside what it looks like by itself. */
  nameClass?: string | undefined;
}

/** A conversation's name, and below it in one line what was written there last. */
export function LineTexts({ title, excerpt, sender, nameClass = "" }: LineTextsProps) {
  const text = useMemo(() => excerpt && plainText(excerpt.html), [excerpt]);
  return (
    <span className={classes.texts}>
      <span className={`${classes.name} ${nameClass}`}>
        <bdi>{title}</bdi>
      </span>
      {text && (
        <span className={classes.excerpt}>
          {sender !== undefined && (
            <>
              <bdi>{sender}</bdi>:{" "}
            </>
          )}
          <bdi>{text}</bdi>
        </span>
      )}
    </span>
  );
}
