import { unescapeHtml } from "./plain.ts";
import { isSafeLink } from "./urls.ts";

/*
 * The second line of defence. The renderer writes all HTML itself and escapes all text. If it ever lets something
 * through, this check of the final HTML rejects it, and the message is shown as plain text. The check does not repair:
 * it rejects HTML that is not exactly as the renderer writes it.
 */

type Rule = RegExp | ((value: string) => boolean);
type Attributes = Readonly<Record<string, Rule>>;

const ANY = /^/;
const NUMBER = /^\d{1,15}$/;
const oneOf = (...values: string[]): Rule => {
  const allowed = new Set(values);
  return (value) => allowed.has(value);
};
const isPath = (value: string): boolean => /^(?:\/(?!\/)|https?:\/\/[^/])/.test(value) && isSafeLink(value);
/** Media that load automatically must be uploads of this server. */
const isUpload = (value: string): boolean => value.startsWith("/user_uploads/") && isSafeLink(value);

const LENGTH = String.raw`-?(?:\d{1,7}(?:\.\d{1,6})?|\.\d{1,6})(?:e-\d{1,2})?(?:em|ex|px|%)?`;
const COLOUR = "#[0-9a-f]{3,8}|[a-z]{3,25}";
/** The styles of KaTeX and of table cells. None of them loads anything, or covers or moves the page. */
const STYLES: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    [
      "height width min-width top bottom left vertical-align margin-left margin-right margin-top padding-left",
      "border-width border-right-width border-top-width border-bottom-width",
    ]
      .join(" ")
      .split(" ")
      .map((name) => [name, new RegExp(`^${LENGTH}$`, "i")]),
  ),
  ...Object.fromEntries(
    ["color", "background-color", "border-color"].map((name) => [name, new RegExp(`^(?:${COLOUR})$`, "i")]),
  ),
  margin: new RegExp(`^${LENGTH}(?: ${LENGTH}){0,3}$`),
  position: /^relative$/,
  border: new RegExp(`^${LENGTH} solid (?:${COLOUR})$`, "i"),
  "border-style": /^solid$/,
  "border-right-style": /^(?:solid|dashed)$/,
  "text-shadow": new RegExp(`^${LENGTH} ${LENGTH} ${LENGTH}$`),
  "text-align": /^(?:left|center|right)$/,
};

function isStyle(value: string): boolean {
  return value
    .split(";")
    .filter((declaration) => declaration.trim() !== "")
    .every((declaration) => {
      const [name = "", written, ...more] = declaration.split(":");
      const rule = Object.hasOwn(STYLES, name.trim()) ? STYLES[name.trim()] : undefined;
      return more.length === 0 && (rule?.test((written ?? "").trim()) ?? false);
    });
}

/** Class names are harmless, except those to which clients react: they are allowed on their own elements only. */
const KATEX_CLASS = /^[A-Za-z0-9_ ()-]*$/;
const isSpanClass = (value: string): boolean =>
  KATEX_CLASS.test(value) && !/(?:^| )(?:message|spoiler|codehilite|stream)/.test(value);

const NONE: Attributes = {};
const CELL: Attributes = { style: /^text-align: (?:left|center|right);$/ };
const MATH: Attributes = Object.fromEntries(
  [
    "accent accentunder class columnalign columnlines columnspacing depth display displaystyle encoding fence height",
    "largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize notation",
    "rowlines rowspacing rspace scriptlevel separator stretchy valign voffset width",
  ]
    .join(" ")
    .split(" ")
    .map((name) => [name, /^[\w .,%#+-]*$/]),
);

const ELEMENTS: Readonly<Record<string, Attributes>> = {
  ...Object.fromEntries(
    "p br hr strong em del code pre blockquote ul li table thead tbody tr h1 h2 h3 h4 h5 h6"
      .split(" ")
      .map((name) => [name, NONE]),
  ),
  ...Object.fromEntries(
    [
      "semantics mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot munder mover munderover",
      "mtable mtr mtd mlabeledtr mpadded mphantom menclose mstyle mglyph",
    ]
      .join(" ")
      .split(" ")
      .map((name) => [name, { ...MATH, style: isStyle }]),
  ),
  annotation: { encoding: oneOf("application/x-tex") },
  math: { xmlns: oneOf("http://www.w3.org/1998/Math/MathML"), display: oneOf("block") },
  svg: {
    xmlns: oneOf("http://www.w3.org/2000/svg"),
    width: /^[\d.]+(?:em|%)?$/,
    height: /^[\d.]+(?:em|%)?$/,
    viewBox: /^[\d. -]+$/,
    preserveAspectRatio: /^[A-Za-z ]+$/,
    style: isStyle,
  },
  path: { d: /^[\dA-Za-z ,.\n-]+$/ },
  line: { x1: /^[\d.%]+$/, x2: /^[\d.%]+$/, y1: /^[\d.%]+$/, y2: /^[\d.%]+$/, "stroke-width": /^[\d.]+em$/ },
  ol: { start: /^\d{1,9}$/ },
  th: CELL,
  td: CELL,
  a: {
    class: oneOf("stream", "stream-topic", "message-link"),
    "data-stream-id": NUMBER,
    href: isSafeLink,
    title: ANY,
  },
  span: {
    class: isSpanClass,
    "data-user-id": /^(?:\*|\d{1,15})$/,
    "data-user-group-id": NUMBER,
    "aria-label": ANY,
    "aria-hidden": oneOf("true"),
    role: oneOf("img"),
    title: ANY,
    style: isStyle,
  },
  div: {
    class: oneOf(
      "codehilite",
      "spoiler-block",
      "spoiler-header",
      "spoiler-content",
      "message_inline_image",
      "message_inline_image message_inline_video",
    ),
    "data-code-language": ANY,
    "aria-hidden": oneOf("true"),
  },
  img: {
    alt: ANY,
    class: oneOf("emoji", "image-loading-placeholder"),
    "data-animated": oneOf("true"),
    "data-original-content-type": /^image\/[a-z0-9.+-]{1,50}$/,
    "data-original-dimensions": /^\d{1,9}x\d{1,9}$/,
    "data-transcoded-image": /^\d{1,9}x\d{1,9}\.\w{1,9}$/,
    src: isPath,
    title: ANY,
  },
  video: { preload: oneOf("metadata"), src: isUpload },
  audio: { controls: oneOf(""), preload: oneOf("metadata"), src: isUpload, title: ANY },
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
};
const VOID_ELEMENTS = new Set(["br", "hr", "img"]);
/** Elements of formulas that KaTeX writes as self-closing tags. */
const SELF_CLOSING = new Set(["path", "line", "mspace", "mglyph"]);

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z0-9-]+="[^"<>]*")*)(\/?)>/y;
const ATTRIBUTE = / ([a-zA-Z0-9-]+)="([^"<>]*)"/g;

function areAllowed(name: string, written: string): boolean {
  const rules = ELEMENTS[name] as Attributes;
  const seen = new Set<string>();
  for (const [, attribute, value] of written.matchAll(ATTRIBUTE) as Iterable<[string, string, string]>) {
    const rule = Object.hasOwn(rules, attribute) ? rules[attribute] : undefined;
    if (!rule || seen.has(attribute)) return false;
    seen.add(attribute);
    const text = unescapeHtml(value);
    if (!(typeof rule === "function" ? rule(text) : rule.test(text))) return false;
  }
  return true;
}

/** Whether HTML contains only elements, attributes and values that rendered messages use. */
export function isAllowed(html: string): boolean {
  const open: string[] = [];
  for (let position = 0; ; ) {
    const start = html.indexOf("<", position);
    const text = html.slice(position, start < 0 ? html.length : start);
    if (text.includes(">")) return false;
    if (start < 0) return open.length === 0;
    TAG.lastIndex = start;
    const match = TAG.exec(html);
    if (!match) return false;
    const [tag, slash, name, attributes, closed] = match as unknown as [string, string, string, string, string];
    position = start + tag.length;
    if (!Object.hasOwn(ELEMENTS, name)) return false;
    if (slash === "/") {
      if (attributes !== "" || closed !== "" || open.pop() !== name) return false;
      continue;
    }
    if (attributes !== "" && !areAllowed(name, attributes)) return false;
    if (closed === "/" && !SELF_CLOSING.has(name)) return false;
    if (closed !== "/" && !VOID_ELEMENTS.has(name)) open.push(name);
  }
}
