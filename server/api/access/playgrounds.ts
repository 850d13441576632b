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
  if (!found) throw badRequest("Playground not found.");
  return found;
}

export function newPlayground(reader: Reader, input: Omit<Playground, "id">): Omit<Playground, "id"> {
  const name = validText("name", input.name, MAX_PLAYGROUND_NAME_LENGTH);
  const pygments_language = validText("pygments_language", input.pygments_language, MAX_PLAYGROUND_LANGUAGE_LENGTH);
  if (!/^[ \w+\-./#]*$/.test(pygments_language))
    throw refusedParameter("pygments_language", "pygments_language has characters of no language.");
  const url_template = validText("url_template", input.url_template, MAX_PLAYGROUND_TEMPLATE_LENGTH);
  aboutParameter("url_template", () => assertTakesCode(url_template));
  const others = playgrounds(reader);
  if (others.some((other) => other.name === name && other.pygments_language === pygments_language))
    throw badRequest("A playground of this name and language exists already.", { var_name: "name" });
  if (others.length >= MAX_PLAYGROUNDS)
    throw badRequest(`There are ${MAX_PLAYGROUNDS} playgrounds, and no room for more.`);
  return { name, pygments_language, url_template };
}

function validText(parameter: string, value: string, max: number): string {
  const trimmed = value.trim();
  if (trimmed === "") throw refusedParameter(parameter, `${parameter} must not be empty.`);
  if ([...trimmed].length > max)
    throw refusedParameter(parameter, `${parameter} is too long: at most ${max} characters.`);
  return trimmed;
}

/** Throws unless it is a URL template with `code` as its only variable. */
function assertTakesCode(template: string): void {
  const parsed = parseTemplate(template);
  if (!parsed) throw badRequest("Invalid URL template.");
  const variables = variablesIn(parsed);
  if (!variables.has("code")) throw badRequest('The URL template does not have the variable "code".');
  if (variables.size > 1) throw badRequest('"code" must be the only variable of the URL template.');
  if (!/^https?:\/\/[^/]/i.test(expand(parsed, () => "1")))
    throw badRequest("The URL template must lead to a web address.");
}
