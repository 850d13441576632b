export interface Topic {
  readonly name: string;
  /** Its newest message. */
  readonly max_id: number;
}
