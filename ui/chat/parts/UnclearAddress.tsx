import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { State } from "../../api/state-shape.ts";
import { useChat } from "../chat-context.ts";
import { decode, INBOX, type Term, termAt } from "../model/narrow.ts";
import { searchText } from "../model/search.ts";
import classes from "./Banners.module.css";

/** Reports a URL that leads nowhere, and offers a search for its words. */
export function UnclearAddress({ hash }: { hash: string }) {
  const { t } = useTranslation();
  const { chat, page, go } = useChat();
  const text = meantBy(chat.state.value ?? {}, hash);
  return (
    <div className={classes.unclearNotice}>
      <p className={classes.unclearText}>
        {t("unclearAddress.said")} <bdi className={classes.unclearAddress}>{hash}</bdi>
      </p>
      <div className={classes.unclearButtons}>
        {text !== "" && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => page.update((before) => ({ ...before, dialog: { kind: "palette", mode: "search", text } }))}
          >
            {t("unclearAddress.search")}
          </Button>
        )}
        {!chat.isSpectator && (
          <Button size="compact-sm" variant="default" onClick={() => go(INBOX)}>
            {t("unclearAddress.toInbox")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** A search text: the known terms, and the words of the others. */
export function meantBy(state: State, hash: string): string {
  const [first = "", ...rest] = hash.replace(/^#/, "").split("/");
  if (first !== "narrow") return wordsOf([first, ...rest]);
  const terms: Term[] = [];
  for (let at = 0; at < rest.length; at += 2) {
    const [operator = "", operand] = rest.slice(at, at + 2);
    if (operator === "near" || operator === "with") continue;
    const term = operand ? termAt(operator, operand) : undefined;
    const words = wordsOf([operand ?? operator]);
    if (term) terms.push(term);
    else if (words !== "") terms.push({ operator: "search", operand: words });
  }
  return searchText(state, terms);
}

const wordsOf = (parts: readonly string[]): string =>
  parts
    .map((part) => decode(part).trim())
    .filter((part) => part !== "")
    .join(" ");
