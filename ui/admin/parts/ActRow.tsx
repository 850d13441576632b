import { UnstyledButton } from "@mantine/core";
import { replaceEqualDeep } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { type ComponentProps, memo, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChangedField } from "../../../server/locales/audit-values.ts";
import type { Answer } from "../../api/client.ts";
import type { State } from "../../api/state-shape.ts";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { useOrganization } from "../admin-context.ts";
import classes from "./ActRow.module.css";
import { AuditSentence } from "./AuditSentence.tsx";
import { type AuditNames, changesOnPage, holds } from "./audit-changes.ts";
import { PlacesBesides } from "./audit-places.ts";

type Act = Answer<"GET /host/audit/acts">["acts"][number];
type Entry = Omit<Act, "more">;

/** A new thing with more values shows them collapsed. */
const MAX_SHOWN = 2;

/** A list of acts. Names link to their pages, except the target `besides`, whose page this is. */
export function ActList({ besides, children, ...about }: ComponentProps<"ol"> & { besides?: string }) {
  return (
    <PlacesBesides value={besides ?? ""}>
      <ol className={classes.acts} {...about}>
        {children}
      </ol>
    </PlacesBesides>
  );
}

export interface ActRowProps {
  act: Act;
  names: AuditNames;
}

/**
 * An act with its old and new values, and collapsed the other changes of the same request. The server sends all acts
 * again for each new entry, so a row renders again only if its own act, or a name in it, has changed.
 */
export const ActRow = memo(OneAct, (before, after) => isSame(before.act, after.act) && areNamedAlike(before, after));

const isSame = (before: unknown, after: unknown) => replaceEqualDeep(before, after) === before;

function areNamedAlike({ act, names: before }: ActRowProps, { names: after }: ActRowProps): boolean {
  const isRenamed = (kind: keyof AuditNames) =>
    Object.keys({ ...before[kind], ...after[kind] }).some(
      (id) => before[kind][id] !== after[kind][id] && [act, ...act.more].some((entry) => isIn(entry, Number(id))),
    );
  return before === after || !(isRenamed("users") || isRenamed("channels"));
}

const isIn = (entry: Entry, id: number) => holds(entry.before, id) || holds(entry.after, id);

function OneAct({ act: { more, ...first }, names }: ActRowProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <li className={classes.act}>
      <div className={classes.what}>
        <Change entry={first} names={names} />
        {more.length > 0 && (
          <UnstyledButton
            className={classes.more}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight size="1rem" aria-hidden="true" data-open={isOpen} />
            {t("auditPage.more", { count: more.length })}
          </UnstyledButton>
        )}
        {more.length > 0 && (
          <ul id={id} className={classes.details} hidden={!isOpen}>
            {isOpen &&
              more.map((entry) => (
                <li key={entry.id}>
                  <Change entry={entry} names={names} />
                </li>
              ))}
          </ul>
        )}
      </div>
      <div className={classes.when}>
        {first.origin === "desktop" && <span>{t("audit.atDesktop")}</span>}
        <RelativeTime at={first.at} />
      </div>
    </li>
  );
}

function Change({ entry, names }: { entry: Entry; names: AuditNames }) {
  const { t } = useTranslation();
  const changes = useChanges(entry, names);
  // Users rarely look for the initial values of a new thing.
  const isFolded = entry.before === null && changes.length > MAX_SHOWN;
  return (
    <>
      <p className={classes.sentence}>
        <AuditSentence entry={entry} />
      </p>
      {isFolded ? (
        <details className={classes.values}>
          <summary>{t("auditPage.values")}</summary>
          <Values changes={changes} />
        </details>
      ) : (
        <Values changes={changes} />
      )}
    </>
  );
}

/** Returns the same list until a name in it changes. */
function useChanges(entry: Entry, names: AuditNames): readonly ChangedField[] {
  const { t } = useTranslation();
  const select = useMemo(() => {
    let cached: { parts: readonly unknown[]; changes: readonly ChangedField[] } | undefined;
    return (state: State) => {
      const parts = [state.realm_user_groups, state.channel_folders, state.custom_profile_fields] as const;
      if (cached && parts.every((part, at) => part === cached?.parts[at])) return cached.changes;
      const [groups = [], folders = [], profileFields = []] = parts;
      const changes = changesOnPage(entry, { ...names, groups, folders, profileFields }, t);
      cached = { parts, changes: replaceEqualDeep(cached?.changes, changes) };
      return cached.changes;
    };
  }, [entry, names, t]);
  return useOrganization(select);
}

function Values({ changes }: { changes: readonly ChangedField[] }) {
  const { t } = useTranslation();
  if (changes.length === 0) return null;
  return (
    <dl className={classes.changes}>
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          {field !== "" && <dt>{field}</dt>}
          <dd>
            {from !== undefined && (
              <>
                <span className={classes.hidden}>{t("auditPage.from")} </span>
                <del>{from}</del>
              </>
            )}
            {from !== undefined && to !== undefined && (
              <span className={classes.arrow} aria-hidden="true">
                →
              </span>
            )}
            {to !== undefined && (
              <>
                <span className={classes.hidden}> {t("auditPage.to")} </span>
                <ins>{to}</ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
