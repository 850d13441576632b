import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import type { State } from "../api/state-shape.ts";
import type { Store } from "../api/store.ts";
import { followHistory, goToHash, makeSpare } from "../parts/spare-entry.ts";
import { addressOf, type Narrow, type Overlay, overlayAt, type Place, placeAt } from "./model/narrow.ts";
import { narrowHere } from "./model/search.ts";
import { channelById } from "./model/selectors.ts";

const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  window.addEventListener("hashchange", listener);
  listeners.add(listener);
  return () => {
    window.removeEventListener("hashchange", listener);
    listeners.delete(listener);
  };
};

/** The address of what lies beneath an overlay that the page's address names. */
let beneath = "";

/** The page's address without overlays: they open above the place where one is. */
function placeHash(): string {
  const { hash } = window.location;
  if (!overlayAt(hash)) beneath = hash;
  return beneath;
}

export const usePlaceHash = (): string => useSyncExternalStore(subscribe, placeHash);

/** The whole address, that of an overlay too. */
export const useHash = (): string => useSyncExternalStore(subscribe, () => window.location.hash);

export const useOverlay = (): Overlay | undefined => {
  const hash = useHash();
  return useMemo(() => overlayAt(hash), [hash]);
};

/** An overlay was opened by its address: Back leads to the place, and so does what is chosen there. */
export const enterOverlay = (): void => makeSpare();

/** An overlay that its address opened is closed: the address is that of the place again, which Back has left already. */
export function leaveOverlay(): void {
  if (!overlayAt(window.location.hash)) return;
  makeSpare(beneath === "" ? "#inbox" : beneath);
  for (const listener of listeners) listener();
}

/** Where the page's address leads, and how to go elsewhere: back and forward are the browser's own. */
export function usePlace(state: Store<State | undefined>): [Place, (place: Place) => void] {
  const hash = usePlaceHash();
  useEffect(followHistory, []);
  const place = useMemo(() => {
    const found = placeAt(hash);
    return found.page === "messages" ? { ...found, narrow: narrowHere(state.value ?? {}, found.narrow) } : found;
  }, [hash, state]);
  const go = useCallback(
    (next: Place) => {
      goToHash(addressIn(state.value, next));
      // The browser's own event comes later: what is typed at once after a key belongs to the new place already.
      for (const listener of listeners) listener();
    },
    [state],
  );
  return [place, go];
}

/** The channel in which all messages of a place are. */
function channelOf(place: Place): number | undefined {
  if (place.page === "topics") return place.channelId;
  return place.page === "messages" ? channelOfNarrow(place.narrow) : undefined;
}

function channelOfNarrow(narrow: Narrow): number | undefined {
  if ("channelId" in narrow) return narrow.channelId;
  if (narrow.kind !== "search") return undefined;
  const term = narrow.terms.find(({ operator, negated }) => operator === "channel" && !negated);
  return typeof term?.operand === "number" ? term.operand : undefined;
}

/** The address of a place, readable where the channel's name is known. */
export function addressIn(state: State | undefined, place: Place): string {
  const channelId = channelOf(place);
  const name = state && channelId !== undefined ? channelById(state, channelId)?.name : undefined;
  return addressOf(place, name);
}
