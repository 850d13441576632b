type Part = "*" | ((character: string) => boolean);

/**
 * Whether a shell pattern (`*`, `?`, `[abc]`, `[!a-z]`) is a name's, all of it. Only the last star is ever tried again, so
 * that no pattern takes long.
 */
export function matchesName(pattern: string, name: string): boolean {
  const parts = partsOf(pattern);
  let [part, at] = [0, 0];
  let star: { part: number; at: number } | undefined;
  while (at < name.length) {
    const here = parts[part];
    if (here === "*") {
      star = { part, at };
      part++;
    } else if (here?.(name[at]!)) {
      part++;
      at++;
    } else if (star) {
      star.at++;
      part = star.part + 1;
      at = star.at;
    } else {
      return false;
    }
  }
  return parts.slice(part).every((rest) => rest === "*");
}

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!;
    // A bracket right behind the opening one is a member of the set.
    const end = character === "[" ? pattern.indexOf("]", at + (pattern[at + 1] === "!" ? 3 : 2)) : -1;
    if (end > 0) {
      parts.push(oneOf(pattern.slice(at + 1, end)));
      at = end;
    } else if (character === "*") parts.push("*");
    else if (character === "?") parts.push(() => true);
    else parts.push((other) => other === character);
  }
  return parts;
}

function oneOf(set: string): (character: string) => boolean {
  const isNegated = set.startsWith("!");
  const members = isNegated ? set.slice(1) : set;
  return (character) => {
    let isMember = false;
    for (let at = 0; at < members.length; at++) {
      const isRange = members[at + 1] === "-" && at + 2 < members.length;
      const last = isRange ? members[at + 2]! : members[at]!;
      isMember ||= members[at]! <= character && character <= last;
      if (isRange) at += 2;
    }
    return isMember !== isNegated;
  };
}
