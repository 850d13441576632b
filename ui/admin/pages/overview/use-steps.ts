import { useState } from "react";
import type { ServerState } from "../../../api/server-state.ts";

export const STEPS = ["open", "person", "channel", "app", "message"] as const;
export type Step = (typeof STEPS)[number];

export interface Steps {
  isShown: boolean;
  done: ReadonlySet<Step>;
  /** They never come back on this machine. */
  hide(): void;
}

/** What this browser remembers of one organization's first steps. */
interface Memory {
  /** Somebody has seen them here: they stay until they are hidden, also when the organization is not empty any more. */
  begun?: boolean;
  hidden?: boolean;
  appSeen?: boolean;
}

/**
 * What to do next in an empty organization; each step is done when the organization's state says so. `onHidden` is to
 * take the focus, which would go with the button that hides them.
 */
export function useSteps(host: ServerState | undefined, onHidden: () => void): Steps {
  const [, setRevision] = useState(0);
  if (!host) return { isShown: false, done: new Set(), hide() {} };
  const { organization, network, online } = host;
  const key = `hearth-steps-${organization.created_at}`;
  const memory = recall(key);
  const next = {
    ...memory,
    begun: memory.begun || !organization.people_wrote || organization.people <= 1,
    // An app that has been closed again has been connected all the same.
    appSeen: memory.appSeen || organization.people_wrote || online.people_count + online.bots_count > 0,
  };
  if (next.begun && (next.begun !== memory.begun || next.appSeen !== memory.appSeen)) remember(key, next);

  const facts: Record<Step, boolean> = {
    open: network.lan,
    person: organization.people > 1,
    channel: organization.channels > 0,
    app: next.appSeen,
    message: organization.people_wrote,
  };
  return {
    isShown: next.begun && !memory.hidden,
    done: new Set(STEPS.filter((step) => facts[step])),
    hide() {
      remember(key, { ...next, hidden: true });
      setRevision((count) => count + 1);
      onHidden();
    },
  };
}

const recalled = new Map<string, Memory>();

function recall(key: string): Memory {
  let memory = recalled.get(key);
  if (!memory) {
    try {
      memory = JSON.parse(localStorage.getItem(key) ?? "{}") as Memory;
    } catch {
      memory = {}; // storage may be forbidden
    }
    recalled.set(key, memory);
  }
  return memory;
}

function remember(key: string, memory: Memory): void {
  recalled.set(key, memory);
  try {
    localStorage.setItem(key, JSON.stringify(memory));
  } catch {} // then until the page is loaded again
}
