import { useState } from "react";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { Session } from "../../../api/session.ts";
import { LocalSetupOnly } from "./LocalSetupOnly.tsx";
import { NewOrganization } from "./NewOrganization.tsx";
import { Welcome } from "./Welcome.tsx";

export interface FirstRunPageProps {
  session: Session;
  desktop: Desktop | undefined;
  onSession(session: Session): void;
}

export function FirstRunPage({ session, desktop, onSession }: FirstRunPageProps) {
  const [isCreating, setCreating] = useState(false);
  // The server tells the folder only to browsers on its own machine: only they may create an organization.
  if (!desktop && session.data_folder === "") return <LocalSetupOnly />;
  if (desktop && !isCreating)
    return <Welcome desktop={desktop} onCreate={() => setCreating(true)} onSession={onSession} />;
  return (
    <NewOrganization session={session} desktop={desktop} onSession={onSession} onBack={() => setCreating(false)} />
  );
}
