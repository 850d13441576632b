import * as declared from "./declared.ts";

/** Every endpoint by its name. The typed client of ui/ is made from this type. */
export type Endpoints = typeof declared;

export const endpoints = Object.values(declared);
