import { Box, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { LeftOutKind } from "../../../../server/imports/model.ts";
import { useClient } from "../../../api/client-context.ts";
import { ErrorCallout } from "../../../parts/ErrorCallout.tsx";
import { number } from "../../../parts/format.ts";
import { Fact, Facts } from "../../../parts/text/Facts.tsx";
import { Hint } from "../../../parts/text/Hint.tsx";
import { PlainList } from "../../../parts/text/PlainList.tsx";
import { useOrganization } from "../../admin-context.ts";
import { PageLink } from "../../parts/PageLink.tsx";
import { PageSection } from "../../parts/PageSection.tsx";
import { PageSkeleton } from "../../shell/PageSkeleton.tsx";
import { ImportChoices } from "./ImportChoices.tsx";
import classes from "./MoveInPage.module.css";
import { SlackFiles } from "./SlackFiles.tsx";
import type { Current, Preview } from "./use-imports.ts";

const ROUTE = "GET /host/imports/current/preview";

/** The contents of the export that was read, and the choices for its import. */
export function ImportPreview({ current, refetch }: { current: Current; refetch(): Promise<void> }) {
  const { t } = useTranslation();
  const client = useClient();
  const { data: preview, error } = useQuery({
    queryKey: [ROUTE],
    queryFn: ({ signal }) => client.call(ROUTE, {}, signal),
    gcTime: 0, // the next export has another preview
  });
  if (!preview) return error ? <ErrorCallout error={error} /> : <PageSkeleton />;
  return (
    <>
      <PageSection title={t("moveIn.contents")}>
        <div className={classes.contents}>
          <Contents name={current.name} preview={preview} />
          <Years byMonth={preview.messages_by_month} />
        </div>
      </PageSection>
      {preview.format === "slack" && <SlackFiles current={current} preview={preview} refetch={refetch} />}
      <ImportChoices preview={preview} refetch={refetch} />
    </>
  );
}

function Contents({ name, preview }: { name: string; preview: Preview }) {
  const { t } = useTranslation();
  const { format, people, channels, direct, messages_by_month: byMonth } = preview;
  const messages = Object.values(byMonth).reduce((sum, count) => sum + count, 0);
  const leftOut = Object.entries(preview.left_out) as [LeftOutKind, number][];
  return (
    <Facts>
      <Fact label={t("moveIn.source")}>{t(`moveIn.formats.${format}`)}</Fact>
      <Fact label={t("moveIn.file")}>
        <bdi>{name}</bdi>
      </Fact>
      <Fact label={t("moveIn.counts.people")}>
        {t("moveIn.inWords.people", { count: people.total })}
        {people.bots > 0 && ` (${t("moveIn.bots", { count: people.bots })})`}
        <Matches people={people} />
      </Fact>
      <Fact label={t("moveIn.counts.messages")}>
        {t("moveIn.messagesIn", {
          messages: t("moveIn.inWords.messages", { count: messages }),
          places: [
            t("moveIn.inWords.channels", { count: channels.length }),
            direct.conversations > 0 && t("moveIn.inWords.conversations", { count: direct.conversations }),
          ]
            .filter(Boolean)
            .join(", "),
        })}
      </Fact>
      {leftOut.length > 0 && (
        <Fact label={t("moveIn.leftOut")}>
          <details>
            <summary>{t("moveIn.leftOutSum", { count: leftOut.reduce((sum, [, count]) => sum + count, 0) })}</summary>
            <PlainList mt="xs">
              {leftOut.map(([kind, count]) => (
                <li key={kind}>{t(`moveIn.leftOutKinds.${kind}`, { count })}</li>
              ))}
            </PlainList>
          </details>
        </Fact>
      )}
    </Facts>
  );
}

/** The people who have an account here. */
function Matches({ people: { matches, with_email } }: { people: Preview["people"] }) {
  const { t } = useTranslation();
  const users = useOrganization(({ realm_users }) => realm_users);
  if (matches.length === 0) return <Hint>{t(with_email === 0 ? "moveIn.noEmail" : "moveIn.noMatches")}</Hint>;
  return (
    <details>
      <summary>{t("moveIn.matches", { count: matches.length })}</summary>
      <Hint my="xs">{t("moveIn.matchesHint")}</Hint>
      <PlainList>
        {matches.map(({ name, user_id }) => (
          // Two people of the export can be the same account.
          <li key={`${user_id} ${name}`}>
            <bdi>{name}</bdi> →{" "}
            <PageLink to="/people" search={{ open: String(user_id) }}>
              <bdi>{users?.find((user) => user.user_id === user_id)?.full_name ?? user_id}</bdi>
            </PageLink>
          </li>
        ))}
      </PlainList>
    </details>
  );
}

function Years({ byMonth }: { byMonth: Preview["messages_by_month"] }) {
  const { t } = useTranslation();
  const years = new Map<string, number>();
  for (const [month, count] of Object.entries(byMonth)) {
    const year = month.slice(0, 4);
    years.set(year, (years.get(year) ?? 0) + count);
  }
  const most = Math.max(...years.values());
  if (years.size === 0) return null;
  return (
    <Box>
      <Text size="sm" c="dimmed" mb="xs">
        {t("moveIn.byYear")}
      </Text>
      <dl className={classes.years}>
        {[...years].map(([year, count]) => (
          <div key={year}>
            <dt>{year}</dt>
            <dd>
              <span className={classes.bar} style={{ inlineSize: `${(100 * count) / most}%` }} aria-hidden="true" />
            </dd>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
    </Box>
  );
}
