import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import type { Desktop } from "../../../../main/bridge-types.ts";
import { createQueryClient } from "../../../api/query-client.ts";
import type { Session } from "../../../api/session.ts";
import { LocalSetupOnly } from "./LocalSetupOnly.tsx";
import { NewOrganization } from "./NewOrganization.tsx";
import { RestoreBackup } from "./RestoreBackup.tsx";
import { Welcome } from "./Welcome.tsx";

export interface FirstRunPageProps {
  session: Session;
  desktop: Desktop | undefined;
  onSession(session: Session): void;
}

export function FirstRunPage(props: FirstRunPageProps) {
  const [queries] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queries}>
      <FirstRun {...props} />
    </QueryClientProvider>
  );
}

function FirstRun({ session, desktop, onSession }: FirstRunPageProps) {
  const [task, setTask] = useState<"create" | "restore">();
  // The server sends the folder only to browsers on its own machine. Only they can create an organization.
  if (!desktop && session.data_folder === "") return <LocalSetupOnly />;
  const onBack = () => setTask(undefined);
  const onRestore = () => setTask("restore");
  if (task === "restore") return <RestoreBackup {...{ session, desktop, onSession, onBack }} />;
  if (desktop && task === undefined)
    return <Welcome {...{ desktop, onRestore, onSession }} onCreate={() => setTask("create")} />;
  return <NewOrganization {...{ session, desktop, onSession, onBack, onRestore }} />;
}
