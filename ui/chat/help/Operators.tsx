import { useTranslation } from "react-i18next";
import { useChat } from "../chat-context.ts";
import { FIXED_VALUES, OFFERED, PUBLIC, type SearchOperator } from "../model/search.ts";
import classes from "./Help.module.css";

export function Operators() {
  const { t } = useTranslation();
  const { chat } = useChat();
  return (
    <>
      <p className={classes.hint}>{t("help.operators.lead")}</p>
      <ul className={classes.operators}>
        {(chat.isSpectator ? PUBLIC : OFFERED).map((operator) => (
          <li key={operator}>
            <Operator word={`${operator}:`} about={t(`search.operators.${operator}`)} />
            {!chat.isSpectator && <Values operator={operator} />}
          </li>
        ))}
      </ul>
      <p className={classes.hint}>{t("help.operators.more")}</p>
    </>
  );
}

function Values({ operator }: { operator: SearchOperator }) {
  const { t } = useTranslation();
  if (!(operator in FIXED_VALUES)) return null;
  return (
    <ul className={classes.operators}>
      {FIXED_VALUES[operator as "is"].map((value) => (
        <li key={value} className={classes.nested}>
          <Operator
            word={`${operator}:${value} `}
            about={t(`search.values.${operator}.${value}` as "search.values.is.unread")}
          />
        </li>
      ))}
    </ul>
  );
}

function Operator({ word, about }: { word: string; about: string }) {
  const { page } = useChat();
  const search = () =>
    page.update((before) => ({ ...before, dialog: { kind: "palette", mode: "search", text: word } }));
  return (
    <button type="button" onClick={search}>
      <code>{word}</code>
      {about}
    </button>
  );
}
