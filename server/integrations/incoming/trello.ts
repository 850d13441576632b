import type { Call, Integration, Reading } from "./integration.ts";
import { link, paragraphs, plain, quote, time, withBody } from "./markdown.ts";
import { lookUp, type Payload } from "./payload.ts";
import { trelloSignature } from "./signatures.ts";

interface Action {
  readonly type: string;
  readonly data: Payload;
  readonly member: string;
  /** Links. */
  readonly card: string;
  readonly board: string;
}

const named = (data: Payload, path: string, fallback: string): string => plain(data.maybeText(path) ?? fallback);

function linkIn(data: Payload, kind: "card" | "board"): string {
  const shortLink = data.maybeText(`${kind}.shortLink`);
  const name = data.maybeText(`${kind}.name`) ?? `a ${kind}`;
  return link(name, shortLink && `https://trello.com/${kind === "card" ? "c" : "b"}/${shortLink}`);
}

function label({ data }: Action): string {
  const name = data.maybeText("text", "label.name");
  const color = data.maybeText("value", "label.color");
  if (name === undefined) return `the ${plain(color ?? "unnamed")} label`;
  return `the label ${plain(name)}${color === undefined ? "" : ` (${plain(color)})`}`;
}

/** The action, after the name of the person. */
const SENTENCES: Record<string, (action: Action) => string> = {
  createCard: ({ data, card }) =>
    `created ${card}${data.has("list.name") ? ` in ${named(data, "list.name", "a list")}` : ""}.`,
  addLabelToCard: (action) => `added ${label(action)} to ${action.card}.`,
  removeLabelFromCard: (action) => `removed ${label(action)} from ${action.card}.`,
  addMemberToCard: ({ member, card }) => `added ${member} to ${card}.`,
  removeMemberFromCard: ({ member, card }) => `removed ${member} from ${card}.`,
  addAttachmentToCard: ({ data, card }) => {
    const attachment = link(data.maybeText("attachment.name") ?? "a file", data.maybeText("attachment.url"));
    return `attached ${attachment} to ${card}.`;
  },
  addChecklistToCard: ({ data, card }) =>
    `added the checklist ${named(data, "checklist.name", "without a name")} to ${card}.`,
  commentCard: ({ data, card }) => {
    const text = quote(data.maybeText("text"));
    return withBody(`commented on ${card}`, text);
  },
  updateCheckItemStateOnCard: ({ data, card }) => {
    const did = data.maybeText("checkItem.state") === "complete" ? "completed" : "took back the completion of";
    const list = data.maybeText("checklist.name");
    return `${did} ${named(data, "checkItem.name", "an item")}${list ? ` in ${plain(list)}` : ""} (${card}).`;
  },
  addMemberToBoard: ({ member, board }) => `added ${member} to ${board}.`,
  removeMemberFromBoard: ({ member, board }) => `removed ${member} from ${board}.`,
  createList: ({ data, board }) => `added the list ${named(data, "list.name", "without a name")} to ${board}.`,
};

/** The first reported change of a card. */
function cardChange({ data, card }: Action): string | undefined {
  if (data.isObject("listBefore") && data.isObject("listAfter")) {
    const [from, to] = [named(data, "listBefore.name", "a list"), named(data, "listAfter.name", "another list")];
    return `moved ${card} from ${from} to ${to}.`;
  }
  const oldName = data.maybeText("old.name");
  if (oldName !== undefined) return `renamed ${plain(oldName)} to ${card}.`;
  if (data.has("old.desc")) return describedChange(data, card);
  if (data.has("old.due")) {
    const due = time(data.maybeText("card.due"));
    if (due === undefined) return `removed the due date of ${card}.`;
    const old = time(data.maybeText("old.due"));
    return old === undefined
      ? `set the due date of ${card} to ${due}.`
      : `moved the due date of ${card} from ${old} to ${due}.`;
  }
  if (data.isFalse("old.closed")) return `archived ${card}.`;
  if (data.isTrue("old.closed")) return `took ${card} out of the archive.`;
  return undefined;
}

function describedChange(data: Payload, card: string): string {
  const [old, now] = [quote(data.maybeText("old.desc"), 1500), quote(data.maybeText("card.desc"), 1500)];
  if (now === undefined) return paragraphs(`removed the description of ${card}${old ? ". It was:" : "."}`, old);
  if (old === undefined) return paragraphs(`described ${card}:`, now);
  return paragraphs(`changed the description of ${card}:`, now, "It was:", old);
}

const SILENT = ["copyCard", "createCheckItem", "updateCheckItem", "updateList"];
const SILENT_CARD_CHANGES = ["cover", "dueComplete", "idAttachmentCover", "pos"];

function sentenceOf(action: Action): string | undefined {
  if (action.type === "updateCard") return cardChange(action);
  const oldName = action.data.maybeText("old.name");
  if (action.type === "updateBoard") return oldName && `renamed the board ${plain(oldName)} to ${action.board}.`;
  return lookUp(SENTENCES, action.type)?.(action);
}

function read({ payload }: Call): Reading {
  const type = payload.text("action.type");
  const data = payload.at("action.data");
  const sentence = sentenceOf({
    type,
    data,
    member: named(payload, "action.member.fullName", "somebody"),
    card: linkIn(data, "card"),
    board: linkIn(data, "board"),
  });
  if (sentence === undefined) {
    const isSilent =
      SILENT.includes(type) ||
      type === "updateBoard" ||
      (type === "updateCard" && SILENT_CARD_CHANGES.some((key) => data.has(`old.${key}`)));
    return isSilent ? { ignored: `Changes of the kind ${type} are not reported.` } : { unsupported: type };
  }
  const who = named(payload, "action.memberCreator.fullName", "Somebody");
  return { topic: data.text("board.name"), content: `${who} ${sentence}` };
}

export const trello: Integration = {
  name: "trello",
  displayName: "Trello",
  color: "#0079bf",
  client: "Trello",
  events: null,
  options: [],
  setUp: `Trello makes webhooks through its API only. With the key and a token from <https://trello.com/power-ups/admin>:

\`\`\`
curl -X POST 'https://api.trello.com/1/webhooks/?key=KEY&token=TOKEN' \\
  --data-urlencode 'callbackURL={address}' -d 'idModel=ID OF THE BOARD'
\`\`\`

The board's ID is in the answer of the board's own address with \`.json\` behind it. Give the bot the API *secret* as its
secret to have signatures checked: they cover the address too, so it must be called exactly as registered.`,
  verify: trelloSignature,
  read,
};
