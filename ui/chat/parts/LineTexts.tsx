import { useMemo } from "react";
import { plainText } from "../../parts/plain-text.ts";
import type { Excerpt } from "../model/excerpts.ts";
import classes from "./LineTexts.module.css";

export interface LineTextsProps {
  title: string;
  /** The newest message, if it is loaded. */
  excerpt: Excerpt | undefined;
  /** Undefined if the title has the name. */
  sender: string | undefined;
  nameClass?: string | undefined;
}

/** A conversation's name, and an excerpt of its newest message. */
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
