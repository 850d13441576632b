/// <reference lib="dom" />
import { queryAllByLabelText, queryAllByRole } from "@testing-library/dom";
import { userEvent } from "@testing-library/user-event";
import { PATIENCE_MS } from "./patience.ts";

// Playwright's calls on a page in this process, so that tests of both layers read alike.

type Text = string | RegExp;
type Named = { name?: Text; exact?: boolean; [state: string]: unknown };

type Filter = { hasText?: Text; has?: RenderedLocator };

const squeezed = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();

/** Like Playwright: without `exact`, a part of the text in any case. */
function matcher(text: Text, exact = false): (found: string | null) => boolean {
  if (text instanceof RegExp) return (found) => text.test(squeezed(found));
  const wanted = squeezed(text);
  return exact
    ? (found) => squeezed(found) === wanted
    : (found) => squeezed(found).toLowerCase().includes(wanted.toLowerCase());
}

/** Repeats the question after each change of the page: a search in a long page takes as long as a render. */
async function until<T>(question: () => T | undefined, what: () => string): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = question();
    if (found !== undefined) return found;
    if (Date.now() > end)
      throw new Error(`Waited in vain: ${what()}\n${squeezed(document.body.textContent).slice(0, 2000)}`);
    await new Promise<unknown>((resolve) => {
      const observer = new MutationObserver(() => setTimeout(done, 5)); // React may change more
      const timer = setTimeout(() => done(), 100); // a field's text is no mutation
      const done = () => {
        clearTimeout(timer);
        observer.disconnect();
        resolve(undefined);
      };
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    });
  }
}

/** An element's text, and its innermost elements with a matching text. One pass, because pages are long. */
function innermost(element: HTMLElement, matches: (text: string) => boolean): { text: string; found: HTMLElement[] } {
  let text = "";
  const found: HTMLElement[] = [];
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) text += child.nodeValue;
    if (child.nodeType !== Node.ELEMENT_NODE) continue;
    const inner = innermost(child as HTMLElement, matches);
    text += inner.text;
    found.push(...inner.found);
  }
  return { text, found: found.length === 0 && matches(text) ? [element] : found };
}

const user = userEvent.setup({ document, delay: null });
/** Types as slowly as a person: fields that write to the URL show each letter a moment later. */
const typist = userEvent.setup({ document, delay: 10 });
const unique = (elements: HTMLElement[]) => [...new Set(elements)];

export class RenderedLocator {
  readonly find: () => HTMLElement[];
  readonly what: string;

  constructor(find: () => HTMLElement[], what: string) {
    this.find = find;
    this.what = what;
  }

  #inside(what: string, query: (root: HTMLElement) => HTMLElement[]): RenderedLocator {
    return new RenderedLocator(() => unique(this.find().flatMap(query)), `${this.what} › ${what}`);
  }
  #among(what: string, choose: (elements: HTMLElement[]) => (HTMLElement | undefined)[]): RenderedLocator {
    const find = () => choose(this.find()).filter((element) => element !== undefined);
    return new RenderedLocator(find, `${this.what} › ${what}`);
  }

  getByRole(role: string, { name, exact, includeHidden: hidden = false, ...states }: Named = {}) {
    const named = name === undefined ? {} : { name: matcher(name, exact) };
    const options = { ...states, ...named, hidden: Boolean(hidden) };
    return this.#inside(`${role} ${name ?? ""}`, (root) => queryAllByRole(root, role, options));
  }
  getByLabel(text: Text, { exact }: Named = {}) {
    return this.#inside(`label ${text}`, (root) => queryAllByLabelText(root, matcher(text, exact)));
  }
  /** The innermost elements with the text. */
  getByText(text: Text, { exact }: Named = {}) {
    return this.#inside(`text ${text}`, (root) => innermost(root, matcher(text, exact)).found);
  }
  getByPlaceholder(text: string) {
    return this.#inside(text, (root) => [...root.querySelectorAll<HTMLElement>(`[placeholder*="${text}"]`)]);
  }
  locator(selector: string, filter: Filter = {}) {
    return this.#inside(selector, (root) => [...root.querySelectorAll<HTMLElement>(selector)]).filter(filter);
  }
  filter({ hasText, has }: Filter) {
    const matches = hasText === undefined ? () => true : matcher(hasText);
    return this.#among(`with ${hasText ?? has?.what ?? "anything"}`, (elements) => {
      const inner = has?.find();
      const isAround = (element: HTMLElement) => inner?.some((one) => element.contains(one)) ?? true;
      return elements.filter((element) => isAround(element) && matches(element.textContent));
    });
  }
  and(other: RenderedLocator) {
    return this.#among(`and ${other.what}`, (elements) => {
      const others = other.find();
      return elements.filter((one) => others.includes(one));
    });
  }
  nth = (at: number) => this.#among(`nth ${at}`, (elements) => [elements.at(at)]);
  first = () => this.nth(0);
  last = () => this.nth(-1);

  waitFor({ state = "visible" }: { state?: string } = {}) {
    const isGone = state === "detached" || state === "hidden";
    return until(
      () => this.find().length > 0 !== isGone || undefined,
      () => `${this.what} ${state}`,
    );
  }
  /** The only element, as soon as it can be used. */
  async element<Kind extends HTMLElement = HTMLInputElement>(): Promise<Kind> {
    const usable = () => {
      const [one, other] = this.find();
      return one && !other && !one.matches(":disabled") ? one : undefined;
    };
    return (await until(usable, () => `${this.what}: one that is enabled, of ${this.find().length}`)) as Kind;
  }
  click = async () => user.click(await this.element());
  hover = async () => user.hover(await this.element());
  focus = async () => (await this.element()).focus();
  async press(key: string) {
    await this.focus();
    await press(key);
  }
  async fill(text: string) {
    const field = await this.element();
    field.focus();
    field.select();
    await (text === "" ? user.clear(field) : user.paste(text));
  }
  async check() {
    const box = await this.element();
    if (!box.checked) await user.click(box);
  }
  async uncheck() {
    const box = await this.element();
    if (box.checked) await user.click(box);
  }
  selectOption = async (option: string) => user.selectOptions(await this.element(), option);

  count = async () => this.find().length;
  all = async () => this.find().map((one) => new RenderedLocator(() => [one], this.what));
  allTextContents = async () => this.find().map(({ textContent }) => textContent ?? "");
  #now = () =>
    until(
      () => this.find()[0],
      () => this.what,
    );
  inputValue = async () => ((await this.#now()) as HTMLInputElement).value;
  innerText = async () => squeezed((await this.#now()).textContent);
  textContent = async () => (await this.#now()).textContent;
  getAttribute = async (name: string) => (await this.#now()).getAttribute(name);
  isDisabled = async () => (await this.#now()).matches(":disabled");
  isChecked = async () => ((await this.#now()) as HTMLInputElement).checked;
  evaluate = async <Arg, Result>(run: (element: HTMLElement, arg?: Arg) => Result, arg?: Arg) =>
    run(await this.#now(), arg);
}

/** `Control+K`, as Playwright names keys. */
async function press(keys: string): Promise<void> {
  const parts = keys.split("+").map((key) => (key === "Space" ? " " : key === "ControlOrMeta" ? "Control" : key));
  const last = parts.pop() as string;
  const [down, up] = [parts.map((key) => `{${key}>}`), parts.map((key) => `{/${key}}`)];
  const key = parts.length > 0 && last.length === 1 ? last.toLowerCase() : last;
  await user.keyboard(`${down.join("")}${key.length === 1 ? key.replace(/[{[]/, "$&$&") : `{${key}}`}${up.join("")}`);
}

export class RenderedPage extends RenderedLocator {
  constructor(body: HTMLElement) {
    super(() => [body], "page");
  }
  readonly keyboard = { press, type: (text: string) => typist.keyboard(text.replace(/[{[]/g, "$&$&")) };
  url = () => location.href;
  override evaluate = async <Arg, Result>(run: (arg: any) => Result, arg?: Arg) => run(arg);
  goto = async (url: string) => {
    location.hash = new URL(url, location.href).hash;
    dispatchEvent(new Event("popstate")); // happy-dom lacks it
  };
}
