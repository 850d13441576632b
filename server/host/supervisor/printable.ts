/**
 * A text from elsewhere, for a terminal: whoever made a backup chose the names in it, and escape sequences would move
 * the cursor, change what was printed before, or set the window's title. Joiners stay: names and emoji need them.
 */
export const printable = (text: string): string =>
  text.replace(
    /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
