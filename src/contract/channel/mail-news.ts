/** A mail that has come, whoever wrote it: nothing in it is proven. */
export type MailNews = {
  /** The same mail always has the same. */
  key: string;
  /** In small letters; empty if it names no one sender. */
  from: string;
  fromName: string;
  subject: string;
  text: string;
};
