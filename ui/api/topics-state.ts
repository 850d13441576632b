import type { WireMutedTopic } from "../../server/api/presenters/topics.ts";
import type { Of, State } from "./state-shape.ts";
import { MUTED, NONE, topicKey } from "./topic-keys.ts";
import { withUnread } from "./unread-state.ts";

export function topicPolicyChanged(state: State, { type: _type, id: _id, ...changed }: Of<"user_topic">): State {
  if (!state.user_topics) return state;
  const key = topicKey(changed.stream_id, changed.topic_name);
  const others = state.user_topics.filter((topic) => topicKey(topic.stream_id, topic.topic_name) !== key);
  const user_topics = changed.visibility_policy === NONE ? others : [...others, changed];
  return withUnread({ ...state, user_topics }, (unread) => unread);
}

/** The older list contains channel names, so it changes with names and visible channels. */
export function withMutedTopics(state: State): State {
  const { user_topics, muted_topics, streams } = state;
  if (!user_topics || !muted_topics || !streams) return state;
  const names = new Map(streams.filter((channel) => !channel.is_archived).map((one) => [one.stream_id, one.name]));
  return {
    ...state,
    muted_topics: user_topics.flatMap((topic): WireMutedTopic[] => {
      const name = names.get(topic.stream_id);
      return topic.visibility_policy === MUTED && name !== undefined
        ? [[name, topic.topic_name, topic.last_updated]]
        : [];
    }),
  };
}
