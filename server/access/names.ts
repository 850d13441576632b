/** Spaces, fillers, joiners and marks of direction: of these alone nothing is seen. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u;

/** Whether a name shows nothing at all, so that nobody could find or choose what has it. */
export const isBlank = (name: string): boolean => INVISIBLE.test(name);
