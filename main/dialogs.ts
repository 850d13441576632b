import { type BrowserWindow, dialog, type MessageBoxOptions } from "electron";

/** Shows a system dialog and returns the name of the button. Closing the dialog means the last button. */
export async function choose<Name extends string>(
  parent: BrowserWindow | undefined,
  question: Pick<MessageBoxOptions, "type" | "message" | "detail"> & { buttons: Partial<Record<Name, string>> },
): Promise<Name> {
  const names = Object.keys(question.buttons) as Name[];
  const options: MessageBoxOptions = {
    ...question,
    title: "Hearth",
    buttons: names.map((name) => question.buttons[name] as string),
    defaultId: 0,
    cancelId: names.length - 1,
    noLink: true,
  };
  const { response } = await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options));
  return names[response] ?? (names.at(-1) as Name);
}
