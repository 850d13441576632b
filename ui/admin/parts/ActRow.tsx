import { UnstyledButton } from "@mantine/core";
import { ChevronRight } from "lucide-react";
import { type ComponentProps, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../../api/client.ts";
import type { ChangedField } from "../../locales/audit-values.ts";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { useOrganization } from "../admin-context.ts";
import classes from "./ActRow.module.css";
import { AuditSentence } from "./AuditSentence.tsx";
import { type AuditNames, changesOnPage } from "./audit-changes.ts";
import { AuditPlaces, usePlaces } from "./audit-places.ts";

type Act = Answer<"GET /host/audit/acts">["acts"][number];
type Entry = Omit<Act, "more">;

/** More values of something new are folded away. */
const MAX_SHOWN = 2;

/** A list of acts. What they name leads to its page, but for the target `besides`, whose page it is. */
export function ActList({ besides, children, ...about }: ComponentProps<"ol"> & { besides?: string }) {
  return (
    <AuditPlaces value={usePlaces(besides)}>
      <ol className={classes.acts} {...about}>
        {children}
      </ol>
    </AuditPlaces>
  );
}

/** One act: what was done, from what to what, and behind a button what the same request changed besides. */
export function ActRow({ act: { more, ...first }, names }: { act: Act; names: AuditNames }) {
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
  const groups = useOrganization(({ realm_user_groups }) => realm_user_groups);
  const folders = useOrganization(({ channel_folders }) => channel_folders);
  const profileFields = useOrganization(({ custom_profile_fields }) => custom_profile_fields);
  const changes = useMemo(
    () =>
      changesOnPage(
        entry,
        { ...names, groups: groups ?? [], folders: folders ?? [], profileFields: profileFields ?? [] },
        t,
      ),
    [entry, names, groups, folders, profileFields, t],
  );
  // What something began with is rarely what one looks for.
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
