import { z } from "zod";
import { boolean, oneOf, type Param, rawOrJson, textOf } from "../http/params.ts";

// biome-ignore lint/suspicious/noExplicitAny: what comes in may be of any type
type Allowed = z.ZodType<unknown, any>;
type Row = { readonly allowed: Allowed };
type Settings = Readonly<Record<string, Row>>;
export type SettingParams<S extends Settings, Name extends keyof S> = {
  [N in Name]: Param<z.output<S[N]["allowed"]> | undefined, z.input<S[N]["allowed"]>, true>;
};

/** How clients send what a setting allows: words and switches as they are, all else as JSON too. */
function settingParam(allowed: Allowed) {
  if (allowed instanceof z.ZodBoolean) return boolean();
  if (allowed instanceof z.ZodLiteral) return oneOf(...([...allowed.values] as (string | number)[]));
  if (allowed instanceof z.ZodEnum) return oneOf(...(allowed.options as string[]));
  if (allowed instanceof z.ZodString) return textOf(allowed);
  return rawOrJson(allowed);
}

/** One optional parameter for each of the named settings. */
export const settingParams = <S extends Settings, Name extends keyof S & string>(
  settings: S,
  names: readonly Name[],
): SettingParams<S, Name> =>
  Object.fromEntries(
    names.map((name) => [name, settingParam((settings[name] as Row).allowed).optional()]),
  ) as SettingParams<S, Name>;
