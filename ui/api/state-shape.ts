import type { Event } from "../../server/events/catalogue.ts";
import type { Answer } from "./client.ts";

/** What POST /register answers to somebody with an account. */
export type Registered = Extract<Answer<"POST /register">, { queue_id: string }>;

/** The fields of that answer as events change them; parts that were not asked for are absent. */
export type State = Partial<Registered>;

/** As lists of channels have it: with subscribers where the client asked for them. */
export type Channel = NonNullable<State["never_subscribed"]>[number];

export type Of<Type extends Event["type"]> = Extract<WireEvent, { type: Type }>;

/** An event as it comes from GET /events. */
export type WireEvent = Event & { readonly id: number };
