import { aboutParameter, badRequest, refusedParameter } from "../../errors.ts";
import { expand, parseTemplate, variablesIn } from "../../markdown/urls.ts";
import type { Reader } from "../../storage/transaction.ts";
import {
  MAX_PLAYGROUND_LANGUAGE_LENGTH,
  MAX_PLAYGROUND_NAME_LENGTH,
  MAX_PLAYGROUND_TEMPLATE_LENGTH,
  MAX_PLAYGROUNDS,
  type Playground,
  playgrounds,
} from "../queries/playgrounds.ts";

export function playgroundToRemove(reader: Reader, id: number): Playground {
  const found = playgrounds(reader).find((playground) => playground.id === id);
  if (!found) throw badRequest("playground_not_found");
  return found;
}

export function newPlayground(reader: Reader, input: Omit<Playground, "id">): Omit<Playground, "id"> {
  const name = validText("name", input.name, MAX_PLAYGROUND_NAME_LENGTH);
  const pygments_language = validText("pygments_language", input.pygments_language, MAX_PLAYGROUND_LANGUAGE_LENGTH);
  if (!/^[ \w+\-./#]*$/.test(pygments_language))
    throw refusedParameter("pygments_language", "language_invalid_characters");
  const url_template = validText("url_template", input.url_template, MAX_PLAYGROUND_TEMPLATE_LENGTH);
  aboutParameter("url_template", () => assertTakesCode(url_template));
  const others = playgrounds(reader);
  if (others.some((other) => other.name === name && other.pygments_language === pygments_language))
    throw badRequest("playground_exists", {}, { var_name: "name" });
  if (others.length >= MAX_PLAYGROUNDS) throw badRequest("too_many_playgrounds", { count: MAX_PLAYGROUNDS });
  return { name, pygments_language, url_template };
}

function validText(parameter: string, value: string, max: number): string {
  const trimmed = value.trim();
  if (trimmed === "") throw refusedParameter(parameter, "empty_value");
  const { length } = [...trimmed];
  if (length > max) throw refusedParameter(parameter, "too_long", { count: max, length });
  return trimmed;
}

/** Throws unless it is a URL template with `code` as its only variable. */
function assertTakesCode(template: string): void {
  const parsed = parseTemplate(template);
  if (!parsed) throw badRequest("url_template_invalid");
  const variables = variablesIn(parsed);
  if (!variables.has("code")) throw badRequest("url_template_code_missing");
  if (variables.size > 1) throw badRequest("url_template_extra_variables");
  if (!/^https?:\/\/[^/]/i.test(expand(parsed, () => "1"))) throw badRequest("url_template_not_web");
}
