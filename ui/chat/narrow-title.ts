import { useTranslation } from "react-i18next";
import type { State } from "../api/state-shape.ts";
import type { Narrow, Place } from "./model/narrow.ts";
import { searchText } from "./model/search.ts";
import { channelById, personById } from "./model/selectors.ts";

/** The title of a narrow: the channel's name, the topic, or the people of a direct conversation. */
export function useNarrowTitle(): (state: State, narrow: Narrow) => string {
  const { t } = useTranslation();
  return (state, narrow) => {
    switch (narrow.kind) {
      case "channel":
        return channelById(state, narrow.channelId)?.name ?? t("chat.unknownChannel");
      case "topic":
        return narrow.topic === "" ? t("chat.generalTopic") : narrow.topic;
      case "direct":
        if (narrow.userIds.length === 1 && narrow.userIds[0] === state.user_id) return t("chat.notesToSelf");
        return narrow.userIds.map((id) => personById(state, id)?.full_name ?? t("chat.unknownPerson")).join(", ");
      case "search":
        return t("chat.searchFor", { text: searchText(state, narrow.terms) });
      default:
        return t(`views.${narrow.kind}`);
    }
  };
}

/** The title of a place: that of its narrow, or the name of the list. */
export function usePlaceTitle(): (state: State, place: Place) => string {
  const { t } = useTranslation();
  const narrowTitle = useNarrowTitle();
  return (state, place) => {
    if (place.page === "topics") return narrowTitle(state, { kind: "channel", channelId: place.channelId });
    return place.page === "messages" ? narrowTitle(state, place.narrow) : t(`views.${place.page}`);
  };
}
