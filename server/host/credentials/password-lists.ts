let common: Promise<ReadonlySet<string>> | undefined;

/** The tens of thousands of passwords that everybody tries first, in small letters: loaded when one is chosen first. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"] as string[]),
  );
  return common;
}

const MIN_RUN_STEPS = 5;

/** Whether a password repeats one character or runs along neighbours: `aaaaaaa`, `4567890`, `fedcba`. */
export function isRun(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0) as number);
  const steps = codes.slice(1).map((code, at) => code - (codes[at] as number));
  const [first = 0] = steps;
  return steps.length >= MIN_RUN_STEPS && Math.abs(first) <= 1 && steps.every((step) => step === first || step === -9);
}
