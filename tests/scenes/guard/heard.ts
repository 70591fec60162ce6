/** Something that reached somebody outside. */
export type Heard = {
  /** page load: what a page in the browser fetches without anybody choosing it. */
  kind: "http" | "page load" | "tcp" | "udp" | "dns" | "search";
  atMs: number;
  /** The address, the name looked up, the words searched for, or the bytes. */
  says: string;
  /** Every byte, headers included, as Latin-1. */
  raw: string;
};
