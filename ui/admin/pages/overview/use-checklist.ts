import { useState } from "react";
import type { ServerState } from "../../../api/server-state.ts";

export const STEPS = ["open", "person", "channel", "app", "message"] as const;
export type Step = (typeof STEPS)[number];

export interface ChecklistState {
  isShown: boolean;
  done: ReadonlySet<Step>;
  /** Hides the checklist permanently in this browser. */
  hide(): void;
  isHttpsProposed: boolean;
  /** Hides the proposal permanently in this browser. */
  dismissHttps(): void;
}

/** The progress of a checklist, stored in the browser per organization. */
interface StoredProgress {
  /** The checklist has been shown, so it stays until the user hides it. */
  begun?: boolean;
  hidden?: boolean;
  appSeen?: boolean;
  httpsDismissed?: boolean;
}

/**
 * The next steps in an empty organization. The organization's state decides which steps are done. `onHidden` moves the
 * focus, since the button that hides the list disappears.
 */
export function useChecklist(serverState: ServerState | undefined, onHidden: () => void): ChecklistState {
  const [, setRevision] = useState(0);
  if (!serverState) return { isShown: false, done: new Set(), hide() {}, isHttpsProposed: false, dismissHttps() {} };
  const { organization, network, online } = serverState;
  const key = `hearth-steps-${organization.created_at}`;
  const stored = load(key);
  const next = {
    ...stored,
    begun: stored.begun || !organization.people_wrote || organization.people <= 1,
    // An app that was connected once counts as connected.
    appSeen: stored.appSeen || organization.people_wrote || online.people_count + online.bots_count > 0,
  };
  if (next.begun && (next.begun !== stored.begun || next.appSeen !== stored.appSeen)) save(key, next);

  const isDone: Record<Step, boolean> = {
    open: network.lan,
    person: organization.people > 1,
    channel: organization.channels > 0,
    app: next.appSeen,
    message: organization.people_wrote,
  };
  const store = (change: StoredProgress) => {
    save(key, { ...next, ...change });
    setRevision((count) => count + 1);
    onHidden();
  };
  return {
    isShown: next.begun && !stored.hidden,
    done: new Set(STEPS.filter((step) => isDone[step])),
    hide: () => store({ hidden: true }),
    isHttpsProposed: mayNeedHttps(serverState) && !stored.httpsDismissed,
    dismissHttps: () => store({ httpsDismissed: true }),
  };
}

/** Whether to propose HTTPS: a second person has joined over the network, and neither Hearth nor a proxy encrypts. */
export function mayNeedHttps({ organization, network, host }: ServerState): boolean {
  const isEncrypted = network.https !== "off" || network.addresses.some(({ url }) => url.startsWith("https:"));
  const isAllowed = host !== null; // administrators cannot turn it on
  return isAllowed && network.lan && !isEncrypted && organization.people > 1;
}

const cache = new Map<string, StoredProgress>();

function load(key: string): StoredProgress {
  let progress = cache.get(key);
  if (!progress) {
    try {
      progress = JSON.parse(localStorage.getItem(key) ?? "{}") as StoredProgress;
    } catch {
      progress = {}; // the browser may forbid storage
    }
    cache.set(key, progress);
  }
  return progress;
}

function save(key: string, progress: StoredProgress): void {
  cache.set(key, progress);
  try {
    localStorage.setItem(key, JSON.stringify(progress));
  } catch {} // the cache keeps it until a reload
}
