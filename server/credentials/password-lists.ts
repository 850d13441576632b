import { dictionary } from "@zxcvbn-ts/language-common";

let common: ReadonlySet<string> | undefined;

/** Whether a password is among the tens of thousands that everybody tries first; letter case makes no difference. */
export function isCommon(password: string): boolean {
  common ??= new Set(dictionary["passwords-common"] as string[]);
  return common.has(password.toLowerCase());
}

const MIN_RUN_STEPS = 5;

/** Whether a password repeats one character or runs along neighbours: `aaaaaaa`, `4567890`, `fedcba`. */
export function isRun(password: string): boolean {
  const codes = [...password].map((character) => character.codePointAt(0) as number);
  const steps = codes.slice(1).map((code, at) => code - (codes[at] as number));
  const [first = 0] = steps;
  return steps.length >= MIN_RUN_STEPS && Math.abs(first) <= 1 && steps.every((step) => step === first || step === -9);
}
