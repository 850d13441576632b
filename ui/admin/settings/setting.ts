/** How a setting is changed, and what its value can be. */
export type SettingKind =
  | { readonly type: "switch"; readonly initial: boolean }
  | { readonly type: "text"; readonly initial: string; readonly maxLength: number; readonly multiline?: boolean }
  | { readonly type: "number"; readonly initial: number; readonly min: number; readonly max?: number }
  | { readonly type: "choice"; readonly initial: string | number; readonly values: readonly (string | number)[] }
  /** How long something may be done, in seconds; null: always. */
  | { readonly type: "period"; readonly initial: number | null }
  /** How many days; -1: for ever. */
  | { readonly type: "days"; readonly initial: number }
  /** A channel's id; -1: none. */
  | { readonly type: "channel"; readonly initial: number }
  /** A language's code. */
  | { readonly type: "language"; readonly initial: string }
  /** A web address; null: the server's own. */
  | { readonly type: "address"; readonly initial: string | null };

export interface Setting<Id extends string = string> {
  /** The API's name, and the key of its texts. */
  readonly id: Id;
  readonly kind: SettingKind;
  readonly ownerOnly?: boolean;
}

export interface SettingSection<Id extends string = string> {
  /** The key of its title. */
  readonly id: string;
  readonly settings: readonly Setting<Id>[];
}

/** Whether a setting has another value than in a new organization. */
export const isChanged = ({ kind }: Setting, value: unknown): boolean => value !== kind.initial;

/** The ids of those that have another value than in a new organization, with blanks between: a primitive, for selectors. */
export const changedIn = <Id extends string>(
  sections: readonly SettingSection<Id>[],
  valueIn: (id: Id) => unknown,
): string =>
  sections
    .flatMap(({ settings }) => settings)
    .filter((setting) => isChanged(setting, valueIn(setting.id)))
    .map(({ id }) => id)
    .join(" ");
