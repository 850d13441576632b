import type { WirePlayground } from "../../../../server/api/presenters/playgrounds.ts";
import type { Client } from "../../../api/client.ts";

export type Playground = WirePlayground;
export type PlaygroundValues = Omit<Playground, "id">;

/**
 * Puts a playground in the place of the stored one, if there is one. The API adds and removes them only, and takes no
 * second one of the same name and language: then the old one goes first, and comes back where the new one is refused.
 * Otherwise the new one is there before the old one goes. `stored` becomes what the server has after each step.
 */
export async function putPlayground(
  client: Client,
  stored: { current: Playground | undefined },
  { name, pygments_language, url_template }: PlaygroundValues,
): Promise<void> {
  const add = async (values: PlaygroundValues): Promise<Playground> => {
    const { id } = await client.call("POST /realm/playgrounds", values);
    return { ...values, id };
  };
  const remove = ({ id }: Playground) =>
    client.call("DELETE /realm/playgrounds/{playground_id}", { playground_id: id });

  const next = {
    name: name.trim(),
    pygments_language: pygments_language.trim(),
    url_template: url_template.trim(),
  };
  const before = stored.current;
  if (!before) {
    stored.current = await add(next);
    return;
  }
  const { id: _, ...old } = before;
  if (next.name !== old.name || next.pygments_language !== old.pygments_language) {
    const added = await add(next);
    try {
      await remove(before);
      stored.current = added;
    } catch (error) {
      await remove(added);
      throw error;
    }
    return;
  }
  if (next.url_template === old.url_template) return;
  await remove(before);
  stored.current = undefined;
  try {
    stored.current = await add(next);
  } catch (error) {
    stored.current = await add(old);
    throw error;
  }
}
