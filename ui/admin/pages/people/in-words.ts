import { locale } from "../../../locales/i18n.ts";

/** `coaches, juniors and races` */
export const inWords = (named: readonly { readonly name: string }[]): string =>
  new Intl.ListFormat(locale(), { type: "conjunction" }).format(named.map(({ name }) => name));
