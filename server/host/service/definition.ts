/** The server that a service runs. */
export interface ServiceCommand {
  /** The program and its first arguments, before `serve`. */
  readonly program: readonly string[];
  readonly dataFolder: string;
  /** Options of `hearth serve`, without `--data`. */
  readonly options: readonly string[];
  /** On Linux: the account of a service of the whole system. Without it, the service belongs to the current user. */
  readonly account?: string | undefined;
}

/** Starts the server with the system, before anybody signs in. */
export interface ServiceManager {
  /** The file of the definition, or its place in the system's tool. */
  readonly place: string;
  /** The file with the server's output, or the command that prints it. */
  log(dataFolder: string): string;
  /** The installed definition. */
  definition(): Promise<string | undefined>;
  /** A new definition. Changes nothing. */
  define(command: ServiceCommand, current: string | undefined): Promise<string>;
  /** Installs or replaces the definition, and starts the server. */
  apply(definition: string): Promise<void>;
  /** Also stops the server. */
  remove(current: string): Promise<void>;
  start(): Promise<void>;
  restart(pid: number): Promise<void>;
}

export const argumentsOf = ({ program, dataFolder, options }: ServiceCommand): readonly string[] => [
  ...program,
  "serve",
  "--data",
  dataFolder,
  ...options,
];

/** For systems that discard the output of a service. */
export const outputFile = (dataFolder: string, separator = "/"): string =>
  [dataFolder, "diagnostics", "service.log"].join(separator);

/** The title of the service in the system's tools. */
export const DESCRIPTION = "Hearth, a team chat server";

/**
 * Identifies a definition of Hearth and its data folder. ASCII, because Windows' tools print other characters in the
 * console's code page, and without "--", which comments in XML must not contain.
 */
export const markOf = (dataFolder: string): string =>
  `hearth-data:${encodeURIComponent(dataFolder).replaceAll("-", "%2D")}`;

/** The data folder of a definition; undefined if Hearth did not create it. */
export function folderIn(definition: string): string | undefined {
  const [, folder] = /hearth-data:([\w.!~*'()%]+)/.exec(definition) ?? [];
  return folder === undefined ? undefined : decodeURIComponent(folder);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const xmlText = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
