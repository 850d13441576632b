import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { noticeDone, noticeError } from "../../../parts/settings/notices.tsx";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { EntryList } from "../../parts/EntryList.tsx";
import { EntryTools } from "../../parts/EntryTools.tsx";
import { Page } from "../../parts/Page.tsx";
import { useRole } from "../../use-role.ts";
import { PlaygroundDialog } from "./PlaygroundDialog.tsx";
import type { Playground } from "./put-playground.ts";

const NO_PLAYGROUNDS: readonly Playground[] = [];

/** The order in which they were added would say when each was changed. */
const byLanguage = (a: Playground, b: Playground) =>
  a.pygments_language.localeCompare(b.pygments_language) || a.name.localeCompare(b.name);

/** Sites that run code of a language, which apps open from a message's block of code. */
export function PlaygroundsPage() {
  const { t } = useTranslation();
  const client = useClient();
  const { isAdministrator } = useRole();
  const stored = useOrganization(({ realm_playgrounds }) => realm_playgrounds) ?? NO_PLAYGROUNDS;
  const playgrounds = useMemo(() => [...stored].sort(byLanguage), [stored]);
  const [search, setSearch] = usePageSearch();

  // A change removes the old one, while its dialog may still have something to say.
  const [edited, setEdited] = useState<Playground>();
  const asked = isAdministrator ? search.open : undefined;
  if (asked !== (edited && String(edited.id))) {
    const opened = asked === undefined ? undefined : playgrounds.find(({ id }) => String(id) === asked);
    if (opened !== edited) setEdited(opened);
  }

  const remove = ({ id, ...playground }: Playground) =>
    client
      .call("DELETE /realm/playgrounds/{playground_id}", { playground_id: id })
      .then(
        () =>
          noticeDone(t("playgrounds.removed", { name: playground.name }), () =>
            client.call("POST /realm/playgrounds", playground),
          ),
        noticeError,
      );

  const add = isAdministrator && (
    <Button leftSection={<Plus size="1rem" />} onClick={() => setSearch({ do: "add" })}>
      {t("playgrounds.add")}
    </Button>
  );
  return (
    <Page
      title={t("nav.playgrounds")}
      description={t("playgrounds.lead")}
      width="narrow"
      actions={playgrounds.length > 0 && add}
    >
      {playgrounds.length === 0 ? (
        <EmptyState title={t("playgrounds.empty")} action={add}>
          {t("playgrounds.emptyHint")}
        </EmptyState>
      ) : (
        <EntryList
          label={t("nav.playgrounds")}
          target={isAdministrator ? undefined : search.open}
          entries={playgrounds.map((playground) => ({
            id: playground.id,
            name: playground.name,
            content: (
              <>
                <strong>{playground.name}</strong> <code>{playground.pygments_language}</code>
                <p>{playground.url_template}</p>
              </>
            ),
            tools: isAdministrator && (
              <EntryTools
                name={playground.name}
                onEdit={() => setSearch({ open: String(playground.id) })}
                onRemove={() => void remove(playground)}
              />
            ),
          }))}
        />
      )}
      {search.do === "add" && isAdministrator && <PlaygroundDialog onClose={() => setSearch({ do: undefined })} />}
      {edited && (
        <PlaygroundDialog key={edited.id} playground={edited} onClose={() => setSearch({ open: undefined })} />
      )}
    </Page>
  );
}
