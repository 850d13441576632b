import { ROLES, type User } from "../queries/users.ts";

/** Owners are administrators too. */
export const isAdministrator = ({ role }: Pick<User, "role">): boolean => role <= ROLES.administrator;
