import * as declared from "./declared.ts";

/** Endpoints by name. ui/ derives its typed client from this type. */
export type Endpoints = typeof declared;

export const endpoints = Object.values(declared);
