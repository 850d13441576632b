import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClient } from "../../../api/client-context.ts";
import { useOrganization } from "../../admin-context.ts";
import { usePageSearch } from "../../page-search.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { EntryList } from "../../parts/EntryList.tsx";
import { EntryTools } from "../../parts/EntryTools.tsx";
import { Page } from "../../parts/Page.tsx";
import { useRole } from "../../use-role.ts";
import { useWrite } from "../../use-write.ts";
import { PlaygroundDialog } from "./PlaygroundDialog.tsx";
import type { Playground } from "./replace-playground.ts";

const NO_PLAYGROUNDS: readonly Playground[] = [];

/** Each change gives a playground a new id, so the order of ids would show the last changes. */
const byLanguage = (a: Playground, b: Playground) =>
  a.pygments_language.localeCompare(b.pygments_language) || a.name.localeCompare(b.name);

/** Websites that run code in a language. Apps link to them from code blocks in messages. */
export function PlaygroundsPage() {
  const { t } = useTranslation();
  const client = useClient();
  const { mutate: write } = useWrite();
  const { isAdministrator } = useRole();
  const stored = useOrganization(({ realm_playgrounds }) => realm_playgrounds) ?? NO_PLAYGROUNDS;
  const playgrounds = useMemo(() => [...stored].sort(byLanguage), [stored]);
  const [search, setSearch] = usePageSearch();

  // A change removes the edited playground, but its dialog stays open if it has an error to show.
  const [edited, setEdited] = useState<Playground>();
  const openId = isAdministrator ? search.open : undefined;
  if (openId !== (edited && String(edited.id))) {
    const opened = openId === undefined ? undefined : playgrounds.find(({ id }) => String(id) === openId);
    if (opened !== edited) setEdited(opened);
  }

  const remove = ({ id: playground_id, ...playground }: Playground) =>
    write({
      run: () => client.call("DELETE /realm/playgrounds/{playground_id}", { playground_id }),
      done: t("playgrounds.removed", { name: playground.name }),
      undo: () => client.call("POST /realm/playgrounds", playground),
    });

  const addButton = isAdministrator && (
    <Button leftSection={<Plus size="1rem" />} onClick={() => setSearch({ do: "add" })}>
      {t("playgrounds.add")}
    </Button>
  );
  return (
    <Page
      title={t("nav.playgrounds")}
      description={t("playgrounds.lead")}
      width="narrow"
      actions={playgrounds.length > 0 && addButton}
    >
      {playgrounds.length === 0 ? (
        <EmptyState title={t("playgrounds.empty")} action={addButton}>
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
                onRemove={() => remove(playground)}
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
