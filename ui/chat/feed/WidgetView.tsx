import { VisuallyHidden } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { number } from "../../parts/format.ts";
import { useAttempt, useChat, useChatState } from "../chat-context.ts";
import type { Message } from "../model/feed-state.ts";
import { personById } from "../model/selectors.ts";
import { nextIndex, type Poll, type TodoList, type Widget } from "../model/widgets.ts";
import { actOnWidget } from "./message-actions.ts";
import classes from "./WidgetView.module.css";

/** A poll or to-do list, in place of the message's text. */
export function WidgetView({ message, widget }: { message: Message; widget: Widget }) {
  const { chat } = useChat();
  const attempt = useAttempt();
  const send = (action: object) => attempt(actOnWidget(chat, message, action));
  return widget.kind === "poll" ? (
    <PollView poll={widget} index={nextIndex(message)} send={send} />
  ) : (
    <TodoView todo={widget} index={nextIndex(message)} send={send} />
  );
}

interface ViewProps {
  /** The number of what one adds. */
  index: number;
  send(action: object): void;
}

function PollView({ poll, index, send }: ViewProps & { poll: Poll }) {
  const { t } = useTranslation();
  const state = useChatState((value) => value);
  const self = state.user_id ?? 0;
  const nameOf = (id: number) => personById(state, id)?.full_name ?? t("chat.unknownPerson");
  const most = Math.max(1, ...poll.options.map(({ voters }) => voters.length));
  return (
    <fieldset className={classes.widget}>
      <legend className={classes.title}>{poll.question === "" ? t("writing.poll.untitled") : poll.question}</legend>
      <ul className={classes.list}>
        {poll.options.map(({ key, text, voters }) => {
          const isOwn = voters.includes(self);
          const names = voters.map(nameOf).join(", ");
          return (
            <li key={key}>
              <button
                type="button"
                className={classes.option}
                aria-pressed={isOwn}
                title={names}
                onClick={() => send({ type: "vote", key, vote: isOwn ? -1 : 1 })}
              >
                <span className={classes.bar} style={{ inlineSize: `${(100 * voters.length) / most}%` }} />
                <span className={classes.text}>
                  <bdi>{text}</bdi>
                </span>
                <span className={classes.voters}>{names}</span>
                <span className={classes.votes}>
                  <span aria-hidden="true">{number(voters.length)}</span>
                  <VisuallyHidden component="span">{t("writing.poll.votes", { count: voters.length })}</VisuallyHidden>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <AddLine
        label={t("writing.poll.addOption")}
        onAdd={(option) => send({ type: "new_option", idx: index, option })}
      />
    </fieldset>
  );
}

function TodoView({ todo, index, send }: ViewProps & { todo: TodoList }) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.widget}>
      <legend className={classes.title}>{todo.title === "" ? t("writing.todo.untitled") : todo.title}</legend>
      <ul className={classes.list}>
        {todo.tasks.map(({ key, text, description, isDone }) => (
          <li key={key}>
            <label className={classes.task} data-done={isDone}>
              <input type="checkbox" checked={isDone} onChange={() => send({ type: "strike", key })} />
              <span>
                <bdi>{text}</bdi>
                {description !== "" && <span className={classes.description}>{description}</span>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <AddLine
        label={t("writing.todo.addTask")}
        onAdd={(task) => send({ type: "new_task", key: index, task, desc: "", completed: false })}
      />
    </fieldset>
  );
}

function AddLine({ label, onAdd }: { label: string; onAdd(text: string): void }) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    onAdd(text.trim());
    setText("");
  };
  return (
    <form onSubmit={submit}>
      <input
        className={classes.add}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        placeholder={label}
        aria-label={label}
      />
    </form>
  );
}
