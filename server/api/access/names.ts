/** Only spaces, fillers, joiners and direction marks. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u;

/** Whether a name is invisible, so that users could not find or select it. */
export const isBlank = (name: string): boolean => INVISIBLE.test(name);

/** Line breaks, control characters and direction overrides, which break the layout of lists. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
