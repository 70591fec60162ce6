// no vowels and nothing that looks like something else: no words come about, and it can be typed on a phone
const letters = "bcdfghjkmnpqrstvwxz23456789";

/** A topic that nobody guesses: its name is all that keeps others from reading along. */
export function randomTopic(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  const topic: string[] = [];
  while (topic.length < 16) {
    for (const byte of random(new Uint8Array(32))) {
      // what lies above the largest multiple would make some letters more likely than others
      const letter = byte < 256 - (256 % letters.length) ? letters[byte % letters.length] : undefined;
      if (letter !== undefined && topic.length < 16) topic.push(letter);
    }
  }
  return `steward-${topic.join("")}`;
}

/** Where the topic can be read and followed in a browser; undefined for an address that is none. */
export function topicAddress(server: string, topic: string): string | undefined {
  if (topic === "" || !/^https?:\/\//.test(server) || !URL.canParse(server)) return undefined;
  return `${server.replace(/\/+$/, "")}/${encodeURIComponent(topic)}`;
}
