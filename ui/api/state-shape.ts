import type { Event } from "../../server/events/catalogue.ts";
import type { Answer } from "./client.ts";

/** The response of POST /register for a user with an account. */
export type Registered = Extract<Answer<"POST /register">, { queue_id: string }>;

/** The same fields as events change them; parts that were not requested are absent. */
export type State = Partial<Registered>;

/** An entry of a channel list, with subscribers if the client requested them. */
export type Channel = NonNullable<State["never_subscribed"]>[number];

export type Of<Type extends Event["type"]> = Extract<WireEvent, { type: Type }>;

export type WireEvent = Event & { readonly id: number };
