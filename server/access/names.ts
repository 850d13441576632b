/** Spaces, fillers, joiners and marks of direction: of these alone nothing is seen. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u;

/** Whether a name shows nothing at all, so that nobody could find or choose what has it. */
export const isBlank = (name: string): boolean => INVISIBLE.test(name);

/** What breaks a line or the direction of what stands beside it: a name with such a character spoils every list it is in. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
