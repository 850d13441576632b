import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/*
 * A word lint for comments, test names, English texts, errors and docs (docs/CONTRIBUTING.md#names-comments-errors). It finds words and
 * openings of sentences that are almost always wrong here. It cannot judge a sentence.
 */

export interface Fault {
  file: string;
  line: number;
  found: string;
  instead: string;
}

interface Rule {
  pattern: RegExp;
  instead: string;
}

const RULES: readonly Rule[] = [
  { pattern: /\b(?:whoever|whomever|whosoever)\b/i, instead: "anyone who, or the person" },
  { pattern: /\b(?:that|those|this) (?:which|whom)\b/i, instead: "the thing itself" },
  { pattern: /\bthose who\b/i, instead: "people who" },
  { pattern: /\bof (?:which|whom)\b/i, instead: "two sentences" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\b(?:is|are|was|were|be|being) told\b/i, instead: "reported, notified, shown" },
  { pattern: /\bfor good\b/i, instead: "permanently" },
  { pattern: /\bmeanwhile\b/i, instead: "until then, during that time" },
  { pattern: /\bby (?:itself|themselves)\b/i, instead: "automatically" },
  { pattern: /\b(?:thereof|whereof|wherein|whereby|hitherto|heretofore|lest|nought)\b/i, instead: "a modern word" },
  { pattern: /\b(?:bring|brings|brought|bringing) (?:it|them|a backup) back\b/i, instead: "restore, reactivate" },
  { pattern: /\bone(?:'s own|self)\b|\bthat one (?:can|may|has)\b/i, instead: "you, or the user" },
];

/** Words that start an inverted sentence. */
const OPENING =
  /(?:^|[.!?] )(Of (?:the|a|an|all|each|both|one|what|those|them|its|many|two|several|people|course)\b|What (?![^.]*\?)|Has (?![^.]*\?)|That (?:which|is what|the|a|an|no|one|it|they|there)\b)/;

/** Texts that break a rule for a reason. */
const ALLOWED: readonly { text: RegExp; reason: string }[] = [
  { text: /^What is new$|^What happened$|^What(?:'s| is) not set up/, reason: "a heading as a question" },
];

/** Each rule that a sentence breaks. */
export function faultsOf(text: string): { found: string; instead: string }[] {
  if (ALLOWED.some((allowed) => allowed.text.test(text))) return [];
  const faults = [];
  for (const { pattern, instead } of RULES) {
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) faults.push({ found, instead });
  }
  const opening = OPENING.exec(text)?.[1];
  if (opening !== undefined) faults.push({ found: opening, instead: "subject first" });
  return faults;
}

interface Prose {
  line: number;
  text: string;
}

/** Comments, test names and error messages of a TypeScript file. Comments of several lines are joined. */
export function proseOfCode(text: string): Prose[] {
  const found: Prose[] = [];
  let block: Prose | undefined;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const comment = /^\s*(?:\/\/|\/\*\*?|\*)(?!\/)\s?(.*?)(?:\s*\*\/)?\s*$/.exec(line);
    const starts = /^\s*\/\*/.test(line);
    if (comment && !(block === undefined && /^\s*\*/.test(line))) {
      if (block && !starts) block.text = `${block.text} ${comment[1]}`.trim();
      else {
        block = { line: index + 1, text: comment[1] as string };
        found.push(block);
      }
      if (line.includes("*/")) block = undefined;
      continue;
    }
    block = undefined;
    const trailing = /[;,{)\]] \/\/ (.+)$/.exec(line)?.[1];
    if (trailing) found.push({ line: index + 1, text: trailing });
    const name = /\b(?:test|desktopTest)\(\s*"((?:[^"\\]|\\.)+)"/.exec(line)?.[1];
    if (name) found.push({ line: index + 1, text: name[0]?.toUpperCase() + name.slice(1) });
    const error = /\b(?:ApiError|Error|summary:|describe\()\(?[^"]*"((?:[^"\\]|\\.)+)"/.exec(line)?.[1];
    if (error?.includes(" ")) found.push({ line: index + 1, text: error });
  }
  return found;
}

/** The texts of a catalogue. */
const proseOfCatalogue = (text: string): Prose[] =>
  text.split("\n").flatMap((line, index) => {
    const found = /"((?:[^"\\]|\\.)* (?:[^"\\]|\\.)*)"/.exec(line)?.[1];
    return found ? [{ line: index + 1, text: found }] : [];
  });

/** Paragraphs of Markdown, without code. */
const proseOfPage = (text: string): Prose[] => {
  let isCode = false;
  return text.split("\n").flatMap((line, index) => {
    if (line.startsWith("```")) isCode = !isCode;
    return isCode || line === ""
      ? []
      : [{ line: index + 1, text: line.replace(/`[^`]*`/g, "code").replace(/^[#>*|\-\s\d.]+/, "") }];
  });
};

/** Checks comments, test names, errors, the English catalogue and the docs. */
export function plainEnglishFaults(root: string): Fault[] {
  const files = ["server", "main", "ui", "test", "docs"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  return [...files, "README.md"].flatMap((file) => {
    if (!/\.(?:tsx?|mjs|md)$/.test(file) || /locales.de/.test(file)) return [];
    const text = readFileSync(join(root, file), "utf8");
    const prose = file.endsWith(".md")
      ? proseOfPage(text)
      : /locales.en./.test(file)
        ? [...proseOfCode(text), ...proseOfCatalogue(text)]
        : proseOfCode(text);
    return prose.flatMap(({ line, text: sentence }) => faultsOf(sentence).map((fault) => ({ file, line, ...fault })));
  });
}
