/** Only spaces, fillers, joiners and direction marks. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]*$/u;

/** Whether a name shows nothing, so that nobody could find or choose its bearer. */
export const isBlank = (name: string): boolean => INVISIBLE.test(name);

/** Characters that break a line or turn the direction of the text around them: such a name spoils every list. */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
