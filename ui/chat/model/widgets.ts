import type { Message } from "./feed-state.ts";

// Polls and to-do lists. A message's first submessage defines the widget, and each later one is an action
// (docs/protocol.md#message-object). All clients compute the same state from them.

type Submessage = Message["submessages"][number];

export interface PollOption {
  readonly key: string;
  readonly text: string;
  /** User ids, in the order of the votes. */
  readonly voters: readonly number[];
}
export interface Poll {
  readonly kind: "poll";
  readonly question: string;
  readonly options: readonly PollOption[];
}
export interface Task {
  readonly key: string;
  readonly text: string;
  readonly description: string;
  readonly isDone: boolean;
}
export interface TodoList {
  readonly kind: "todo";
  readonly title: string;
  readonly tasks: readonly Task[];
}
export type Widget = Poll | TodoList;

/** The sender id in keys of options that came with the message. */
const CANNED = "canned";

/** Undefined for messages without a widget, or with an unknown one. */
export function widgetOf({ submessages }: Pick<Message, "submessages">): Widget | undefined {
  const [first, ...actions] = submessages;
  const start = first && fieldsOf(first);
  if (!start) return undefined;
  const extra = (start["extra_data"] ?? {}) as Record<string, unknown>;
  if (start["widget_type"] === "poll") return actions.reduce(pollAfter, startedPoll(extra));
  return start["widget_type"] === "todo" ? actions.reduce(todoAfter, startedTodo(extra)) : undefined;
}

function fieldsOf({ content }: Submessage): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const startedPoll = ({ question, options }: Record<string, unknown>): Poll => ({
  kind: "poll",
  question: text(question),
  options: list(options).map((option, at) => ({ key: `${CANNED},${at}`, text: text(option), voters: [] })),
});

function pollAfter(poll: Poll, submessage: Submessage): Poll {
  const fields = fieldsOf(submessage) ?? {};
  const { sender_id } = submessage;
  switch (fields["type"]) {
    case "new_option": {
      const option = { key: `${sender_id},${fields["idx"]}`, text: text(fields["option"]), voters: [] };
      const isKnown = poll.options.some((one) => one.key === option.key || one.text === option.text);
      return isKnown ? poll : { ...poll, options: [...poll.options, option] };
    }
    case "vote": {
      const vote = (one: PollOption): PollOption => {
        if (one.key !== fields["key"]) return one;
        const others = one.voters.filter((id) => id !== sender_id);
        return { ...one, voters: fields["vote"] === 1 ? [...others, sender_id] : others };
      };
      return { ...poll, options: poll.options.map(vote) };
    }
    case "question":
      return { ...poll, question: text(fields["question"]) };
    default:
      return poll;
  }
}

const startedTodo = ({ task_list_title, tasks }: Record<string, unknown>): TodoList => ({
  kind: "todo",
  title: text(task_list_title),
  tasks: list(tasks).map((task, at) => {
    const { task: name, desc } = (task ?? {}) as Record<string, unknown>;
    return { key: `${at},${CANNED}`, text: text(name), description: text(desc), isDone: false };
  }),
});

function todoAfter(todo: TodoList, submessage: Submessage): TodoList {
  const fields = fieldsOf(submessage) ?? {};
  switch (fields["type"]) {
    case "new_task": {
      const key = `${fields["key"]},${submessage.sender_id}`;
      const task = {
        key,
        text: text(fields["task"]),
        description: text(fields["desc"]),
        isDone: fields["completed"] === true,
      };
      const isKnown = todo.tasks.some((one) => one.key === key || one.text === task.text);
      return isKnown ? todo : { ...todo, tasks: [...todo.tasks, task] };
    }
    case "strike": {
      const strike = (one: Task): Task => (one.key === fields["key"] ? { ...one, isDone: !one.isDone } : one);
      return { ...todo, tasks: todo.tasks.map(strike) };
    }
    case "new_task_list_title":
      return { ...todo, title: text(fields["title"]) };
    default:
      return todo;
  }
}

/** The number of a user's next option or task, which must differ from their earlier ones. */
export const nextIndex = ({ submessages }: Pick<Message, "submessages">): number => submessages.length;

export const pollText = (question: string, options: readonly string[]): string =>
  ["/poll", ` ${oneLine(question)}`, ...options.map((option) => `\n${oneLine(option)}`)].join("");

export const todoText = (title: string, tasks: readonly string[]): string =>
  ["/todo", ` ${oneLine(title)}`, ...tasks.map((task) => `\n${oneLine(task)}`)].join("");

const oneLine = (value: string): string => value.trim().replace(/\s+/g, " ");
