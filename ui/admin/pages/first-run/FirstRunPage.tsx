import { useState } from "react";
import type { Desktop } from "../../../../main/bridge-types.ts";
import type { Session } from "../../../api/session.ts";
import { NewOrganization } from "./NewOrganization.tsx";
import { NotHere } from "./NotHere.tsx";
import { Welcome } from "./Welcome.tsx";

export interface FirstRunPageProps {
  session: Session;
  desktop: Desktop | undefined;
  onSession(session: Session): void;
}

export function FirstRunPage({ session, desktop, onSession }: FirstRunPageProps) {
  const [isCreating, setCreating] = useState(false);
  // The folder is told only to those who may make an organization here: from this machine, that is.
  if (!desktop && session.data_folder === "") return <NotHere />;
  if (desktop && !isCreating)
    return <Welcome desktop={desktop} onCreate={() => setCreating(true)} onSession={onSession} />;
  return (
    <NewOrganization session={session} desktop={desktop} onSession={onSession} onBack={() => setCreating(false)} />
  );
}
