import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { State } from "../api/state-shape.ts";
import type { Store } from "../api/store.ts";
import { addressOf, type Place, placeAt } from "./model/narrow.ts";
import { channelById } from "./model/selectors.ts";

const subscribe = (listener: () => void) => {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
};

/** Where the page's address leads, and how to go elsewhere: back and forward are the browser's own. */
export function usePlace(state: Store<State | undefined>): [Place, (place: Place) => void] {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  const place = useMemo(() => placeAt(hash), [hash]);
  const go = useCallback(
    (next: Place) => {
      window.location.hash = addressIn(state.value, next);
    },
    [state],
  );
  return [place, go];
}

/** The address of a place, readable where the channel's name is known. */
export function addressIn(state: State | undefined, place: Place): string {
  const narrow = place.page === "messages" ? place.narrow : undefined;
  const channelId = narrow && "channelId" in narrow ? narrow.channelId : undefined;
  const name = state && channelId !== undefined ? channelById(state, channelId)?.name : undefined;
  return addressOf(place, name);
}
