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

/** The hash of the place under an overlay's own hash. */
let beneath = "";

/** The hash of the place, without overlays, which open above it. */
function placeHash(): string {
  const { hash } = window.location;
  if (!overlayAt(hash)) beneath = hash;
  return beneath;
}

export const usePlaceHash = (): string => useSyncExternalStore(subscribe, placeHash);

/** The hash, which can be that of an overlay. */
export const useHash = (): string => useSyncExternalStore(subscribe, () => window.location.hash);

export const useOverlay = (): Overlay | undefined => {
  const hash = useHash();
  return useMemo(() => overlayAt(hash), [hash]);
};

/** Prepares Back to close the overlay that a URL opened. */
export const enterOverlay = (): void => makeSpare();

/** Restores the hash of the place when an overlay that a URL opened closes. */
export function leaveOverlay(): void {
  if (!overlayAt(window.location.hash)) return;
  makeSpare(beneath === "" ? "#inbox" : beneath);
  for (const listener of listeners) listener();
}

/** The place of the URL, and a function that opens another one. */
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
      // The browser's event is later, but the next typed character already belongs to the new place.
      for (const listener of listeners) listener();
    },
    [state],
  );
  return [place, go];
}

/** The channel of a place with messages of one channel. */
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

/** The URL of a place, with the channel's name if it is loaded. */
export function addressIn(state: State | undefined, place: Place): string {
  const channelId = channelOf(place);
  const name = state && channelId !== undefined ? channelById(state, channelId)?.name : undefined;
  return addressOf(place, name);
}
