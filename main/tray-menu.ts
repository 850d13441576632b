import type { MenuItemConstructorOptions } from "electron";
import type { ServerState } from "./bridge-types.ts";
import { texts } from "./texts.ts";

export interface TrayStatus {
  readonly state: ServerState;
  /** Undefined before the first response, and in first run. */
  readonly organization: string | undefined;
  readonly peopleOnline: number;
  /** The URL for other machines; undefined if they cannot connect. */
  readonly address: string | undefined;
  readonly startAtLogin: boolean;
  /** Unread messages in the chat window. */
  readonly unread: number;
  /** A newer version. */
  readonly update?: string | undefined;
}

export interface TrayActions {
  open(): void;
  openChat(): void;
  copyAddress(address: string): void;
  invite(): void;
  update(): void;
  setStartAtLogin(on: boolean): void;
  quit(): void;
}

export function trayToolTip({ state, organization, peopleOnline, unread }: TrayStatus): string {
  if (state !== "running" || organization === undefined) return `Hearth: ${texts.tray.states[state]}`;
  return `${organization}: ${unread > 0 ? texts.unread(unread) : texts.tray.online(peopleOnline)}`;
}

/** The first items show the state as text, for people who cannot see the icon. */
export function trayMenu(status: TrayStatus, actions: TrayActions): MenuItemConstructorOptions[] {
  const { state, organization, peopleOnline, address, startAtLogin, update } = status;
  const { tray } = texts;
  const isRunning = state === "running" && organization !== undefined;
  return [
    { id: "state", label: isRunning ? organization : `Hearth: ${tray.states[state]}`, enabled: false },
    ...(isRunning
      ? [
          { id: "online", label: tray.online(peopleOnline), enabled: false },
          { id: "address", label: address ?? tray.onlyThisComputer, enabled: false },
        ]
      : []),
    { type: "separator" },
    { id: "openChat", label: tray.openChat, enabled: isRunning, click: actions.openChat },
    { id: "open", label: tray.open, click: actions.open },
    {
      id: "copy",
      label: tray.copyAddress,
      enabled: isRunning && address !== undefined,
      click: () => address !== undefined && actions.copyAddress(address),
    },
    { id: "invite", label: tray.invite, enabled: isRunning, click: actions.invite },
    ...(update === undefined ? [] : [{ id: "update", label: tray.update(update), click: actions.update }]),
    { type: "separator" },
    {
      id: "startAtLogin",
      label: tray.startAtLogin,
      type: "checkbox",
      checked: startAtLogin,
      click: () => actions.setStartAtLogin(!startAtLogin),
    },
    { type: "separator" },
    { id: "quit", label: tray.quit, click: actions.quit },
  ];
}
