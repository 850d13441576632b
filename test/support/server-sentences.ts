import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

const server = fileURLToPath(new URL("../../server", import.meta.url));

/** A sentence in the server's sources, with `{}` for values, and the file that uses it. */
export interface ServerSentence {
  sentence: string;
  file: string;
}

interface Node {
  type: string;
  [field: string]: unknown;
}

/** A part of a sentence: its text, or a value with the name of its variable if there is one. */
type Part = string | { value: string | undefined };
type Sentence = readonly Part[];

/** A function that refuses, or creates an error, with a sentence from its parameters. */
interface Refusing {
  params: readonly (string | undefined)[];
  sentences: Sentence[];
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/** The functions that every refusal uses. Their callers lead to the rest. */
const ERRORS: Readonly<Record<string, Refusing>> = {
  ApiError: { params: ["code", "message"], sentences: [[{ value: "message" }]] },
  BackupFailed: { params: ["message"], sentences: [[{ value: "message" }]] },
  PassphraseRefused: { params: ["message"], sentences: [[{ value: "message" }]] },
  PostFailed: { params: ["message"], sentences: [[{ value: "message" }]] },
};

/** Files whose sentences are stored and shown later, or become a response elsewhere. All of them count. */
const WRITTEN_DOWN = new Set([
  "api/actions/webhook-deliveries.ts",
  "host/backups/errors.ts",
  "host/exports/exports.ts",
  "host/operator/reach.ts",
  "markdown/linkifiers.ts",
]);
/** Storage errors that become responses (server/http/envelope.ts). */
const ANSWERED = /^RecordTooLarge$/;

/** A function that can be called by a name. */
interface Named {
  name: string;
  params: readonly (string | undefined)[];
  body: Node;
}

/** A node that may contain a sentence, its function, and the parameters of all functions around it. */
interface Place {
  file: string;
  node: Node;
  within: Named | undefined;
  hidden: ReadonlySet<string | undefined>;
}

const NONE: ReadonlySet<string | undefined> = new Set();
const SAYING =
  /^(?:CallExpression|NewExpression|ClassDeclaration|TemplateLiteral|Literal|Property|AssignmentExpression)$/;

class Scanner {
  /** Functions by name, and the constants of each file by `file:name`. */
  readonly #functions = new Map<string, (Named & { file: string })[]>();
  readonly #constants = new Map<string, Node>();
  readonly #refusing = new Map<string, Refusing>(Object.entries(ERRORS));
  readonly #found = new Map<string, ServerSentence>();
  /** Calls and other nodes that may contain a sentence. */
  readonly #places: Place[] = [];
  /** Parameters of the surrounding functions, which hide constants of the same name. */
  #hidden: ReadonlySet<string | undefined> = NONE;
  /** Functions whose sentences are being searched. */
  readonly #pending = new Set<Node>();

  add(file: string, source: string): void {
    this.#learn({ file, within: undefined, hidden: NONE }, parseSync(file, source).program);
  }

  sentences(): ServerSentence[] {
    // Each round finds the callers of the previous round's functions.
    for (let known = -1; known < this.#size(); ) {
      known = this.#size();
      this.#found.clear();
      for (const place of this.#places) {
        this.#hidden = place.hidden;
        for (const sentence of this.#refusedBy(place.file, place.node)) this.#note(place, sentence);
      }
    }
    for (const place of this.#places) {
      this.#hidden = place.hidden;
      for (const { value, begin = "" } of this.#written(place.file, place.node))
        for (const sentence of this.#values(place.file, value)) this.#note(place, [begin, ...nameless(sentence)]);
    }
    return [...this.#found.values()];
  }

  #size(): number {
    return [...this.#refusing.values()].reduce((sum, { sentences }) => sum + sentences.length, 0);
  }

  #learn(around: Omit<Place, "node">, node: unknown): void {
    if (Array.isArray(node)) for (const one of node) this.#learn(around, one);
    if (!isNode(node)) return;
    const { file, hidden } = around;
    const named = asNamed(node);
    if (named) this.#functions.set(named.name, [...(this.#functions.get(named.name) ?? []), { file, ...named }]);
    if (node.type === "VariableDeclarator" && isNode(node["init"]))
      this.#constants.set(`${file}:${nameOf(node["id"])}`, node["init"]);
    const inside = named ? { file, within: named, hidden: new Set([...hidden, ...named.params]) } : around;
    if (SAYING.test(node.type)) this.#places.push({ ...inside, node });
    for (const field of Object.values(node)) this.#learn(inside, field);
  }

  /** Sentences that are not thrown: parameter refinements, delivery errors and backup errors. */
  *#written(file: string, node: Node): Generator<{ value: Node; begin?: string }> {
    if (node.type === "CallExpression") {
      const { property } = node["callee"] as Node;
      const given = node["arguments"] as Node[];
      // A refinement's message continues the parameter's name.
      if (nameOf(property) === "refine" && given[1]) yield { value: given[1], begin: "{} " };
    }
    if (node.type === "ClassDeclaration" && ANSWERED.test(nameOf(node["id"]) ?? ""))
      yield* superArguments(node["body"]);
    if (WRITTEN_DOWN.has(file) && /^(?:TemplateLiteral|Literal)$/.test(node.type)) {
      const isSentence = this.#values(file, node).some((value) => /[a-z] .*(?:\.|[.:] \{\})$/.test(text(value)));
      if (isSentence) yield { value: node };
    }
    if (!file.startsWith("integrations/outgoing/")) return;
    if (node.type === "Property" && nameOf(node["key"]) === "error") yield { value: node["value"] as Node };
    if (node.type === "AssignmentExpression" && nameOf((node["left"] as Node)["property"]) === "error")
      yield { value: node["right"] as Node };
  }

  #refusedBy(file: string, call: Node): Sentence[] {
    const refusing = this.#refusing.get(nameOf(call["callee"]) ?? "");
    if (!refusing) return [];
    const given = call["arguments"] as Node[];
    return refusing.sentences.flatMap((sentence) =>
      sentence.reduce<Sentence[]>(
        (before, part) => {
          if (typeof part === "string") return before.map((one) => [...one, part]);
          const argument = part.value === undefined ? undefined : given[refusing.params.indexOf(part.value)];
          const values = argument ? this.#values(file, argument) : [];
          const all: Sentence[] = values.length > 0 ? values : [[{ value: undefined }]];
          return before.flatMap((one) => all.map((value) => [...one, ...value]));
        },
        [[]],
      ),
    );
  }

  /** The texts of an expression that are in the sources. */
  #values(file: string, node: Node): Sentence[] {
    const inner = (one: unknown) => this.#values(file, one as Node);
    switch (node.type) {
      case "Literal":
        return [[typeof node["value"] === "string" ? node["value"] : { value: undefined }]];
      case "TemplateLiteral": {
        const texts = (node["quasis"] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
        return (node["expressions"] as Node[]).reduce<Sentence[]>(
          (before, expression, index) => {
            const shown = this.#words(file, expression, inner(expression));
            return before.flatMap((one) => shown.map((value) => [...one, ...value, texts[index + 1] as string]));
          },
          [[texts[0] as string]],
        );
      }
      case "ConditionalExpression":
        return [...inner(node["consequent"]), ...inner(node["alternate"])];
      case "LogicalExpression":
        return [...inner(node["left"]), ...inner(node["right"])];
      case "ObjectExpression":
        return (node["properties"] as Node[]).flatMap(({ value }) => (value ? inner(value) : []));
      case "MemberExpression":
        return node["computed"] ? inner(node["object"]) : [[{ value: undefined }]];
      case "TSAsExpression":
        return inner(node["expression"]);
      case "Identifier": {
        const name = nameOf(node) as string;
        const constant = this.#hidden.has(name) ? undefined : this.#constants.get(`${file}:${name}`);
        if (!constant || this.#pending.has(constant)) return [[{ value: name }]];
        return this.#within(constant, () => inner(constant));
      }
      case "CallExpression": {
        const called = this.#called(file, nameOf(node["callee"]) ?? "").filter(({ body }) => !this.#pending.has(body));
        const found = called.flatMap((one) =>
          this.#within(one.body, () => [...returned(one.body)].flatMap((value) => this.#values(one.file, value))),
        );
        const sentences = found.filter((value) => value.some((part) => typeof part === "string" && part.includes(" ")));
        return sentences.length > 0 ? sentences.map(nameless) : [[{ value: undefined }]];
      }
      default:
        return [[{ value: undefined }]];
    }
  }

  /** Looks into a function or a constant, which may refer to itself. */
  #within(node: Node, look: () => Sentence[]): Sentence[] {
    this.#pending.add(node);
    const found = look();
    this.#pending.delete(node);
    return found;
  }

  /** The parts of a template: fixed words, and values for everything else. */
  #words(file: string, expression: Node, values: Sentence[]): Sentence[] {
    const isOwnCall =
      expression.type === "CallExpression" && this.#own(file, nameOf(expression["callee"]) ?? "").length > 0;
    const isChoice =
      isOwnCall || /^(?:ConditionalExpression|MemberExpression|LogicalExpression)$/.test(expression.type);
    const areWords = values.every((value) => value.some((part) => typeof part === "string" && /[a-z]/i.test(part)));
    if (areWords && (isChoice || expression.type === "Identifier")) return values;
    return [[{ value: nameOf(expression) }]];
  }

  /** The functions of this name that a file may refer to: its own, or those of all others. */
  #called(file: string, name: string): (Named & { file: string })[] {
    const own = this.#own(file, name);
    return own.length > 0 ? own : (this.#functions.get(name) ?? []);
  }

  #own(file: string, name: string): (Named & { file: string })[] {
    return (this.#functions.get(name) ?? []).filter((one) => one.file === file);
  }

  #note({ file, within }: Place, sentence: Sentence): void {
    const params = within?.params ?? [];
    const isOfParams = sentence.some((part) => typeof part !== "string" && part.value && params.includes(part.value));
    if (within && isOfParams) {
      const known = this.#refusing.get(within.name) ?? { params, sentences: [] };
      const isKnown = known.sentences.some((one) => JSON.stringify(one) === JSON.stringify(sentence));
      if (!isKnown) known.sentences.push(sentence);
      this.#refusing.set(within.name, known);
      return;
    }
    const words = text(sentence);
    if (/[a-z].* |^Invalid /i.test(words)) this.#found.set(`${file}: ${words}`, { sentence: words, file });
  }
}

const text = (sentence: Sentence): string => sentence.map((part) => (typeof part === "string" ? part : "{}")).join("");

const nameless = (sentence: Sentence): Sentence =>
  sentence.map((part) => (typeof part === "string" ? part : { value: undefined }));

const nameOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined;
  if (node.type === "Identifier") return String(node["name"]);
  if (node.type === "MemberExpression") return undefined;
  return node.type === "AssignmentPattern" ? nameOf(node["left"]) : undefined;
};

function asNamed(node: Node): Named | undefined {
  const made = node.type === "VariableDeclarator" ? (node["init"] as Node | null) : node;
  const name = nameOf(node["id"]);
  if (!made || name === undefined || !/^(?:FunctionDeclaration|ArrowFunctionExpression)$/.test(made.type))
    return undefined;
  return { name, params: (made["params"] as Node[]).map(nameOf), body: made["body"] as Node };
}

/** The arguments of a class's `super` call. */
function* superArguments(node: unknown): Generator<{ value: Node }> {
  if (Array.isArray(node)) for (const one of node) yield* superArguments(one);
  if (!isNode(node)) return;
  if (node.type === "CallExpression" && (node["callee"] as Node).type === "Super")
    for (const value of node["arguments"] as Node[]) yield { value };
  for (const field of Object.values(node)) yield* superArguments(field);
}

/** A function's return values, without inner functions. */
function* returned(body: unknown, isBody = true): Generator<Node> {
  if (Array.isArray(body)) for (const one of body) yield* returned(one, false);
  if (!isNode(body)) return;
  if (isBody && body.type !== "BlockStatement") return void (yield body);
  if (/Function/.test(body.type)) return;
  if (body.type === "ReturnStatement" && isNode(body["argument"])) yield body["argument"];
  for (const field of Object.values(body)) yield* returned(field, false);
}

export function serverSentences(): ServerSentence[] {
  const scanner = new Scanner();
  for (const path of readdirSync(server, { recursive: true, encoding: "utf8" }).sort())
    if (path.endsWith(".ts") && !path.startsWith("locales"))
      scanner.add(path.replaceAll("\\", "/"), readFileSync(join(server, path), "utf8"));
  return scanner.sentences();
}

/** The same for one text instead of the files. */
export function sentencesIn(text: string): string[] {
  const scanner = new Scanner();
  scanner.add("x.ts", text);
  return scanner.sentences().map(({ sentence }) => sentence);
}
