import { adminPart } from "../../admin-part.ts";

/** The form for an account, loaded when it is opened. */
export const AddPerson = adminPart(() => import("./AddPerson.tsx").then((all) => ({ default: all.AddPerson })));
