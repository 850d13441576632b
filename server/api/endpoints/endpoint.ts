import type { App } from "../../app.ts";
import { endpointFor } from "../../http/endpoint.ts";
import type { Param } from "../../http/params.ts";
import type { User } from "../queries/users.ts";

/** Declares an endpoint: see http/endpoint.ts. */
export const endpoint = endpointFor<App, User>();

/** For owners, and for the operator on the server's machine. */
export const forOwners = { who: "operator or owner", bots: false, outsideApi: true } as const;

/** For Hearth's own pages, before the user signs in. */
export const beforeSignIn = {
  who: "anyone",
  ignoreCredentials: true,
  ownPagesOnly: true,
  outsideApi: true,
} as const;

/** The values of these parameters, for functions that a handler calls. */
export type ValuesOf<Params> = {
  [Name in keyof Params]: Params[Name] extends Param<infer Value, infer _In, infer _Omittable> ? Value : never;
};
