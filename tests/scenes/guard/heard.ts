/** Something that reached somebody outside. */
export type Heard = {
  /** page load: what a page in the browser fetches without anybody choosing it. */
  kind: "http" | "page load" | "tls" | "tcp" | "udp" | "dns" | "search";
  atMs: number;
  /** The address, the server that TLS is asked for, the name looked up, the words searched for, or the bytes. */
  says: string;
  /** Every byte, headers included, as Latin-1. */
  raw: string;
};
