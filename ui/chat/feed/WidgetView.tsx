import { VisuallyHidden } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { number } from "../../parts/format.ts";
import { useAttempt, useChat, useChatState } from "../chat-context.ts";
import type { Message } from "../model/feed-state.ts";
import { personById } from "../model/selectors.ts";
import { nextIndex, type Poll, type PollOption, type TodoList, type Widget } from "../model/widgets.ts";
import { actOnWidget } from "./message-actions.ts";
import classes from "./WidgetView.module.css";

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
  /** The number of the next option or task. */
  index: number;
  send(action: object): void;
}

function PollView({ poll, index, send }: ViewProps & { poll: Poll }) {
  const { t } = useTranslation();
  const most = Math.max(1, ...poll.options.map(({ voters }) => voters.length));
  return (
    <fieldset className={classes.widget}>
      <legend className={classes.title}>{poll.question === "" ? t("writing.poll.untitled") : poll.question}</legend>
      <ul className={classes.list}>
        {poll.options.map((option) => (
          <li key={option.key}>
            <Option option={option} most={most} send={send} />
          </li>
        ))}
      </ul>
      <AddLine
        label={t("writing.poll.addOption")}
        onAdd={(option) => send({ type: "new_option", idx: index, option })}
      />
    </fieldset>
  );
}

interface OptionProps extends Pick<ViewProps, "send"> {
  option: PollOption;
  /** The votes of the option that leads. */
  most: number;
}

function Option({ option: { key, text, voters }, most, send }: OptionProps) {
  const { t } = useTranslation();
  const { chat } = useChat();
  const isOwn = voters.includes(chat.userId);
  const names = useChatState((state) =>
    voters.map((id) => personById(state, id)?.full_name ?? t("chat.unknownPerson")).join(", "),
  );
  return (
    <button
      type="button"
      className={classes.option}
      aria-pressed={isOwn}
      data-tooltip={names || undefined}
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
