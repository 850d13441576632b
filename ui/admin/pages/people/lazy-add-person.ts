import { adminPart } from "../../admin-part.ts";

/** Loads the form when it opens. */
export const AddPerson = adminPart(() => import("./AddPerson.tsx").then((all) => ({ default: all.AddPerson })));
