import type { User } from "../access/users.ts";
import type { App } from "../app.ts";
import { endpointFor } from "../http/endpoint.ts";

/** Declares an endpoint of Hearth: see http/endpoint.ts. */
export const endpoint = endpointFor<App, User>();
